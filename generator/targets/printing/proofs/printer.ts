import type { Contract } from '../../../contract/contract.ts';
import type { Code } from '../../code.ts';
import type { StrategyCode } from '../strategy-code.ts';

/** What packages print of the proofs of one kind. */
export interface ProofPrinter {
  readonly module: (contract: Contract) => ProofModule;
  /** Returns what the table of strategies has of each proof. */
  readonly strategies: (contract: Contract) => readonly StrategyRow[];
  /** Returns the strategy for an example of a receiver; `undefined` if the contract states none that an example can have. */
  readonly example: (contract: Contract) => ExampleStrategy | undefined;
}

/** The functions that verify proofs, in a module of the receiver. */
export interface ProofModule {
  /** The name of the module, and of its template. Several kinds can share one. */
  readonly file: string;
  /** What the template of the module prints. */
  readonly data: object;
  /** Whether the contract states any. */
  readonly isUsed: boolean;
  /** The exports of the package. */
  readonly exports: readonly Code[];
  /** The functions that create signers, for tests. */
  readonly signers: readonly string[];
}

/** A row in a table of strategies: a call, and what it authenticates. */
interface StrategyRow {
  readonly verify: string;
  readonly about: string;
}

/** A strategy in the example of a receiver. */
interface ExampleStrategy extends StrategyCode {
  /** Whether it is preferred to those of other kinds, of which the first is taken otherwise. */
  readonly isPreferred: boolean;
}
