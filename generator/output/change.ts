import type { Pointer } from '../json/pointer.ts';

/**
 * `create` and `remove`: the file is missing, or no longer produced. `update`: it is as the last run left it, and out
 * of date. `edited`: somebody changed it after the last run. `orphan`: it stands in the output folder, and no run wrote it.
 */
export type ChangeKind = 'create' | 'update' | 'remove' | 'edited' | 'orphan';

/** How a file on disk differs from what the contract gives. */
export interface Change {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** The places of the contract that the file speaks of; empty where no target produces it. */
  readonly from: readonly Pointer[];
}
