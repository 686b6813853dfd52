import type { LintSettings } from './lint-settings.ts';
import type { Budgets } from './budgets.ts';
import type { Target } from '../targets/target.ts';

/** Which files make up a contract. Paths are relative to the configuration file; at least one document is needed. */
export interface ContractFiles {
  readonly openapi?: string;
  readonly asyncapi?: string;
  /** OpenAPI Overlay 1.0 files, applied in this order after bundling. */
  readonly overlays?: readonly string[];
  /** The folder that no reference leads out of; default: the one with all of these files. */
  readonly folder?: string;
}

/**
 * Names a part of a contract. Each entry is a name or a pattern: `*` stands for any text and everything else for itself;
 * in a path, `*` ends at a `/` and `**` does not.
 */
export interface Selection {
  /** Path templates, such as `/books/**`, of calls and of notifications that have one. */
  readonly paths?: readonly string[];
  /** Tags of calls and of notifications. */
  readonly tags?: readonly string[];
  /** An operationId, or method and path as in `get /books/{id}`. */
  readonly operations?: readonly string[];
  /** Kinds of notifications. */
  readonly events?: readonly string[];
}

/**
 * The type of texts of one format. A name in PascalCase: a string marked with that name. A template literal type, in
 * its backticks: that. A type of a module: imported from there; it has to be one that strings can have.
 */
export type FormatSetting = string | { readonly type: string; readonly from: string };

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

/** How an array of scalars is written inside `deepObject`. */
export type NestedArrays = 'indices' | 'brackets' | 'repeat';

/** What the output is to those who use it. */
export type Layout = 'packages' | 'folder';

/** The npm scope, or what stands for it where nothing is published. */
export function scopeOf({ scope }: Pick<Config, 'scope'>): string {
  return scope ?? '@generated';
}

/** Gives a configuration file its types; returns what it is given. */
export function defineConfig<const T extends Config | readonly Config[]>(config: T): T {
  return config;
}
