import type { LintSettings } from './lint/settings.ts';
import type { Budgets } from './load/budgets.ts';
import type { Target } from './targets/target.ts';

/** Which files make up a contract. Paths are relative to the configuration file; at least one document is needed. */
export interface ContractFiles {
  readonly openapi?: string;
  readonly asyncapi?: string;
  /** OpenAPI Overlay 1.0 files, applied in this order after bundling. */
  readonly overlays?: readonly string[];
}

/** What to generate from one contract. */
export interface Config {
  readonly contract: ContractFiles;
  /** The npm scope of the generated packages, such as `@acme`. */
  readonly scope: string;
  /** The folder that is written by machine only, relative to the configuration file. */
  readonly output: string;
  /** Names of targets that ship with the toolkit, or targets of the user's own. */
  readonly targets: readonly (string | Target)[];
  /** The version of the generated packages; default: the contract's `info.version`. */
  readonly version?: string;
  /**
   * Whose side the documents are written from. `service` (default): `paths` and `action: receive` are calls the
   * integrator makes, `webhooks` and `action: send` are notifications to it. `integrator` turns that round.
   */
  readonly perspective?: 'service' | 'integrator';
  /** How much of each thing a contract may have before it is refused, where it rightly has more than most. */
  readonly budgets?: Partial<Budgets>;
  /** What `countersign lint` says of this contract. Nothing generated depends on it. */
  readonly lint?: LintSettings;
}

/** Gives a configuration file its types; returns what it is given. */
export function defineConfig<const T extends Config | readonly Config[]>(config: T): T {
  return config;
}
