import type { ProofOf, ReadyKind } from 'countersign/companion/deliveries';
import type { Contract } from 'countersign/kit';
import type { Answers, AuthenticationPlan } from './plan.ts';

/** How applications verify proofs of one kind. */
export type ProofPlanner<Kind extends ReadyKind> = WholePlanner<Kind> | PartPlanner<Kind>;

/** For proofs that an application can verify with what the contract states. */
interface WholePlanner<Kind extends ReadyKind> {
  readonly plan: (
    contract: Contract,
    proof: ProofOf<Kind>,
    choice: { readonly answers: Answers; readonly isDefault: boolean },
  ) => AuthenticationPlan;
  /** For proofs that other ones are combined with: where the options are described, as a clause. */
  readonly help?: string;
}

/** For proofs whose options only the developers of an application know. */
interface PartPlanner<Kind extends ReadyKind> {
  readonly plan?: undefined;
  /** Where these options are described, as a clause. */
  readonly help: string;
  /** Returns sentences about an application that compares a shared secret instead. */
  readonly instead: (contract: Contract, proof: ProofOf<Kind>) => string;
}
