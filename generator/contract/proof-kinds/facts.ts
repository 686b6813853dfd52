import type { Contract, SecurityScheme } from '../contract.ts';
import type { ProofOf, ReadyKind, ReadyProof } from '../proofs.ts';

/** What decides how deliveries are authenticated. */
export type Sources = Pick<
  Contract,
  'notifications' | 'operations' | 'security' | 'defaultSecurity' | 'recognition' | 'unstated'
>;

/** What is to know of the proofs of one kind. */
export interface ProofFacts<Kind extends ReadyKind> {
  /** What it is, in sentences about its scheme. */
  readonly noun: string;
  /** Returns whether receivers have a function of this kind for a scheme. */
  readonly isOf: (scheme: SecurityScheme, sources: Sources) => boolean;
  /**
   * Returns whether a scheme needs the function that combines schemes as the contract does. The verifier of a signature
   * compares other headers itself.
   */
  readonly isCombined: (scheme: SecurityScheme, sources: Sources) => boolean;
  /** Set if the schemes of calls are proofs too, where no notification has a scheme of this kind. */
  readonly isProposed?: true;
  /** Returns the credential with whose key it is made over each request; left out for proofs that every request repeats. */
  readonly credentialOf?: (scheme: SecurityScheme) => string | undefined;
  /** Set if the body contains it. */
  readonly isInBody?: true;
  /** Describes a proof; `undefined` for one that receivers have no function for where it is not alone. */
  readonly describe: (
    scheme: SecurityScheme,
    common: ReadyProof,
    sources: Sources,
  ) => ProofOf<Kind> | undefined;
}
