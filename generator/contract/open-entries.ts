import { isWithin, type Pointer } from '../json/pointer.ts';
import type { Contract, Unstated } from './contract.ts';

/** Returns the entries of the ledger that are not settled. */
export function openEntries({ unstated }: Pick<Contract, 'unstated'>): readonly Unstated[] {
  return unstated.filter(({ settled }) => settled === undefined);
}

/** Returns whether an object of a document states a ledger entry itself. */
export function isStatedAt({ pointer }: Unstated, place: Pointer): boolean {
  return pointer.startsWith(`${place}/x-unstated/`);
}

/**
 * Returns the open ledger entries that parts of a contract depend on: those that the parts state, and those whose answer
 * would change them. An entry that is stated deeper inside concerns the inner part only.
 */
export function openEntriesAt(
  contract: Pick<Contract, 'unstated'>,
  ...places: readonly Pointer[]
): readonly Unstated[] {
  return openEntries(contract).filter((entry) =>
    places.some(
      (place) =>
        isStatedAt(entry, place) ||
        (!isWithin(entry.pointer, place) &&
          [...entry.usedBy, ...entry.affects].some((pointer) => isWithin(pointer, place))),
    ),
  );
}
