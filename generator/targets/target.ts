import type { Contract } from '../contract/contract.ts';
import type { Pointer } from '../json/pointer.ts';
import type { ValidatorCompiler } from '../schema/validator-compiler.ts';

/** A file of the output, not yet on disk. */
export interface OutputFile {
  /** Relative to the output folder, with `/`; a path that leaves the folder is refused. */
  readonly path: string;
  readonly text: string;
  /** Whether the text is as it should be, and no formatter has to read it; it is formatted where this is left out. */
  readonly isFormatted?: boolean;
  /** The places of the contract that the file speaks of. */
  readonly from: readonly Pointer[];
}

/** What a target may know besides the contract. */
export interface TargetContext {
  /** The npm scope of the generated packages, such as `@instant-payment`. */
  readonly scope: string;
  /** Whether the output is packages, or code in an application's folder; packages where it is left out. */
  readonly layout?: Layout;
  /** Whether the contract's package has checks of values; it has where this is left out. */
  readonly validators?: boolean;
  /** How arrays of scalars inside form bodies and `deepObject` parameters are written; `indices` where it is left out. */
  readonly nestedArrays?: NestedArrays;
  /** Compiles validators and keeps them for the run; a target that needs some creates its own where this is left out. */
  readonly compiler?: ValidatorCompiler;
  /** The version every generated package carries. */
  readonly version: string;
  /** The package name that each target of this run generates, by target name. */
  readonly packageNames: Readonly<Record<string, string>>;
  /**
   * Renders `<template>.hbs` of this target's folders of templates. A text of `data` reaches the output only
   * through the helpers `literal`, `identifier`, `jsdoc` and `markdown`, or as a `Code` value made by one of them.
   */
  render(template: string, data: object): string;
}

/** A kind of output. It is pure: the same contract and context give the same files, byte for byte. */
export interface Target {
  readonly name: string;
  /** Names of the targets whose packages this one's output imports. */
  readonly requires: readonly string[];
  /**
   * Absolute paths of the files whose bytes decide the output, besides those of the toolkit and of `templates`: what
   * lets an unchanged run do nothing. A target of the user's own that names none is run every time.
   */
  readonly fingerprint: readonly string[];
  /** Absolute path of the folder with this target's `*.hbs` files, where it has any; or of several, for a name in one only. */
  readonly templates?: string | readonly string[];
  emit(
    contract: Contract,
    context: TargetContext,
  ): Iterable<OutputFile> | AsyncIterable<OutputFile>;
}

/** What the output is to those who use it. */
export type Layout = 'packages' | 'folder';

/** How an array of scalars is written inside `deepObject`. */
export type NestedArrays = 'indices' | 'brackets' | 'repeat';
