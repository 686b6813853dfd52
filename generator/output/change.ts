import type { Pointer } from '../json/pointer.ts';

/**
 * The kind of a difference between the output folder and the generated files.
 *
 * - `create`: the file is missing.
 * - `update`: the file is out of date, and unchanged since the last run.
 * - `remove`: the last run wrote the file, and it is no longer generated.
 * - `edited`: the file was changed after the last run.
 * - `orphan`: the file is in the output folder, and no run wrote it.
 */
export type ChangeKind = 'create' | 'update' | 'remove' | 'edited' | 'orphan';

/** A difference between a file on disk and the generated file. */
export interface Change {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** Pointers to the parts of the contract that the file is generated from; empty if no target generates it. */
  readonly from: readonly Pointer[];
}
