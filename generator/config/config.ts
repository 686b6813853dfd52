import type { LintSettings } from './lint-settings.ts';
import type { Budgets } from '../load/budgets.ts';
import type { Layout, NestedArrays, Target } from '../targets/target.ts';
import type { ContractFiles } from '../load/contract-files.ts';
import type { Selection } from '../select/selection.ts';
import type { FormatSetting } from '../contract/lower/format-types.ts';

/** What to generate from one contract. */
export interface Config {
  readonly contract: ContractFiles;
  /** The npm scope of the generated packages, such as `@acme`; not needed where the layout has no packages. */
  readonly scope?: string;
  /** The folder that is written by machine only, relative to the configuration file. */
  readonly output: string;
  /** Names of targets that ship with the toolkit, or targets of the user's own. */
  readonly targets: readonly (string | Target)[];
  /**
   * `packages` (default): every target makes an npm package. `folder`: the output is source code for an application to
   * compile with its own, whose parts import one another by path.
   */
  readonly layout?: Layout;
  /** What imports between the files of a folder end with; default `.js`, which every resolver takes. */
  readonly importExtension?: '.js' | '.ts';
  /** The version of the generated packages; default: the contract's `info.version`. */
  readonly version?: string;
  /**
   * Whose side the documents are written from. `service` (default): `paths` and `action: receive` are calls the
   * integrator makes, `webhooks` and `action: send` are notifications to it. `integrator` turns that round.
   */
  readonly perspective?: 'service' | 'integrator';
  /** Generate from this part of the contract alone, and from what it refers to. */
  readonly include?: Selection;
  /** Leave this part of the contract out, and what only it refers to; it counts more than `include`. */
  readonly exclude?: Selection;
  /**
   * Whether checks of values are generated; default true. Without them, the contract's package has types and documents
   * alone, the client takes answers as they come, and there can be no receivers.
   */
  readonly validators?: boolean;
  /**
   * How clients write an array of scalars inside a `deepObject` parameter or form property: `tags[0]=a` (`indices`, the
   * default), `tags[]=a` (`brackets`) or `tags=a` once for each item (`repeat`). OpenAPI does not define it. Arrays that
   * hold objects or arrays always have indices.
   */
  readonly nestedArrays?: NestedArrays;
  /** Types by format, such as `{ uuid: 'Uuid' }`. They are types alone: what travels is text, and is checked as such. */
  readonly formats?: Readonly<Record<string, FormatSetting>>;
  /** How much of each thing a contract may have before it is refused, where it rightly has more than most. */
  readonly budgets?: Partial<Budgets>;
  /** What `countersign lint` says of this contract. Nothing generated depends on it. */
  readonly lint?: LintSettings;
}

/** The npm scope, or what stands for it where nothing is published. */
export function scopeOf({ scope }: Pick<Config, 'scope'>): string {
  return scope ?? '@generated';
}

/** Gives a configuration file its types; returns what it is given. */
export function defineConfig<const T extends Config | readonly Config[]>(config: T): T {
  return config;
}
