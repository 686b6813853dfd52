import type { Contract } from '../contract/contract.ts';
import type { PackageWorkspace } from '../execution/package-managers.ts';
import type { Pointer } from '../json/pointer.ts';
import type { ManifestSettings } from './package/manifest-settings.ts';
import type { SettingCheck } from '../diagnostics/setting-checks.ts';

/** A generated file that is not written to disk yet. */
export interface OutputFile {
  /** The path relative to the output folder, with `/`. A path that leaves the folder is refused. */
  readonly path: string;
  readonly text: string;
  /** Whether the text is formatted already; default false, which lets the formatter process it. */
  readonly isFormatted?: boolean;
  /** Pointers to the parts of the contract that the file is generated from. */
  readonly from: readonly Pointer[];
}

/** What a target receives besides the contract. */
export interface TargetContext<Options extends object = object> {
  /** The npm scope of the generated packages, such as `@instant-payment`. */
  readonly scope: string;
  /** Whether the output is packages, or code in a folder of an application; default `packages`. */
  readonly layout?: Layout;
  /** Whether the contract's package has validators; default true. */
  readonly validators?: boolean;
  /** The options of this target. They have passed the checks of the target. */
  readonly options: Options;
  /** The options of every target of this run, by name, for a target that describes the output of another. */
  readonly targetOptions?: Readonly<Record<string, object>>;
  /** The versions of the packages that this run generates, by target name. */
  readonly packageVersions: Readonly<Record<string, string>>;
  /** The output folder, relative to that of the configuration; default `generated`. */
  readonly output?: string;
  /**
   * The workspace that has the packages of this run. Without one, or without `workspace:*`, packages refer to each other
   * by their versions.
   */
  readonly workspace?: PackageWorkspace;
  /** The SPDX licence of every generated package, if it is not that of the contract. */
  readonly license?: string;
  /** What every generated package.json states for registries. */
  readonly packageJson?: ManifestSettings;
  /** The names of the packages that this run generates, by target name. */
  readonly packageNames: Readonly<Record<string, string>>;
  /**
   * Returns where the contract states the value at a pointer: a file, relative to the folder of the configuration, and a
   * JSON Pointer in it, such as `spec/openapi.yaml#/paths/~1token`. Without it, comments state no places.
   */
  readonly placeOf?: (pointer: Pointer) => string | undefined;
  /**
   * Renders `<template>.hbs` of this target's folders of templates. Text in `data` reaches the output only through an
   * escaping helper, such as `literal`, `identifier`, `jsdoc` and `markdown`, or as a `Code` value.
   */
  render(template: string, data: object): string;
}

/**
 * A kind of output. A target is pure: the same contract and context give the same files, byte for byte.
 * @typeParam Options the options that a configuration can set, each of them optional
 */
export interface Target<Options extends object = object> {
  readonly name: string;
  /**
   * The options of the target: a check for each. An option without a check is an error of the configuration, and so is
   * a value that its check reports. Default: none.
   */
  readonly options?: Readonly<Record<string, SettingCheck>> & {
    readonly [Name in keyof Options]-?: SettingCheck;
  };
  /** Names of the targets whose packages the output imports. */
  readonly requires: readonly string[];
  /**
   * Absolute paths of the files that affect the output, besides the files of the toolkit and of `templates`. A run
   * whose files have not changed does nothing. A user's own target without such files runs every time.
   */
  readonly fingerprint: readonly string[];
  /**
   * Absolute path of the folder with the `*.hbs` files of this target, or of several folders. Two folders must not have
   * templates of the same name.
   */
  readonly templates?: string | readonly string[];
  /** Returns the parts of the runtime that options ask for, besides those that the emitted code imports. */
  runtimeEntries?(options: Options): readonly string[];
  /** Called before the contract is read, so that a thread of the target can load a large library meanwhile. */
  prepare?(): void;
  emit(
    contract: Contract,
    context: TargetContext<Options>,
  ): Iterable<OutputFile> | AsyncIterable<OutputFile>;
}

/** The layout of the output: packages, or code in a folder of an application. */
export type Layout = 'packages' | 'folder';
