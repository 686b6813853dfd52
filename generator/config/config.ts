import type { DiffSettings } from './diff-settings.ts';
import type { LintSettings } from './lint-settings.ts';
import type { Budgets } from '../load/budgets.ts';
import type { ManifestSettings } from '../targets/package/manifest-settings.ts';
import type { Layout } from '../targets/target.ts';
import type { TargetEntry } from '../targets/target-entry.ts';
import type { ContractFiles } from '../load/contract-files.ts';
import type { Selection } from '../select/selection.ts';
import type { FormatSetting } from '../contract/format-setting.ts';

/** The configuration of one contract: its files, and what to generate from them. */
export interface Config {
  readonly contract: ContractFiles;
  /** The npm scope of the generated packages, such as `@acme`; not needed where the layout has no packages. */
  readonly scope?: string;
  /** The folder for generated files only, relative to the configuration file. */
  readonly output: string;
  /** Names of the toolkit's own targets, or custom targets; `{ use: 'client', nestedArrays: 'brackets' }` with options. */
  readonly targets: readonly TargetEntry[];
  /**
   * `packages` (default): every target generates an npm package. `folder`: the output is source code that an
   * application compiles with its own code. Its parts import one another by path.
   */
  readonly layout?: Layout;
  /** The extension of imports between the files of a folder; default `.js`, which every resolver supports. */
  readonly importExtension?: '.js' | '.ts';
  /**
   * The version of the generated packages; default: the contract's `info.version`. With `changesets`, each package keeps
   * the version of its `package.json` in the output, which `changeset version` writes; a new one starts at
   * `info.version`.
   */
  readonly version?: string;
  /** The SPDX identifier of the generated packages' licence; default: that of the contract's `info.license`. */
  readonly license?: string;
  /** What every generated package.json states for registries: where its source is, who wrote it, how it is published. */
  readonly packageJson?: ManifestSettings;
  /**
   * The side that the documents are written from. `service` (default): `paths` and `action: receive` are calls that the
   * integrator makes, `webhooks` and `action: send` are notifications to it. `integrator` reverses both.
   */
  readonly perspective?: 'service' | 'integrator';
  /** Generates only from this part of the contract and what it refers to. */
  readonly include?: Selection;
  /** Leaves out this part of the contract and what only it refers to; takes precedence over `include`. */
  readonly exclude?: Selection;
  /**
   * Whether validators are generated; default true. Without them, the contract's package has only types and documents.
   * The client does not validate responses, and targets for receivers are not available.
   */
  readonly validators?: boolean;
  /**
   * Types by format, such as `{ uuid: 'Uuid' }`. They exist only at compile time: the wire format stays a string and is
   * validated as one.
   */
  readonly formats?: Readonly<Record<string, FormatSetting>>;
  /** Limits on the size of the contract, for a legitimate contract that exceeds the defaults. */
  readonly budgets?: Partial<Budgets>;
  /** Settings of `countersign lint`. They do not affect generated code. */
  readonly lint?: LintSettings;
  /** Settings of `countersign diff`. They do not affect generated code. */
  readonly diff?: DiffSettings;
}

/** Returns the given configuration unchanged, and checks its type at compile time. */
export function defineConfig<const T extends Config | readonly Config[]>(config: T): T {
  return config;
}
