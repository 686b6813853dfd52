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
 * Returns the ledger entries that parts of a contract depend on, open or settled: those that the parts state, those
 * whose answer would change them, and those whose answer has changed them. An entry that is stated deeper inside
 * concerns the inner part only.
 */
export function entriesAt(
  { unstated }: Pick<Contract, 'unstated'>,
  ...places: readonly Pointer[]
): readonly Unstated[] {
  return unstated.filter((entry) =>
    places.some(
      (place) =>
        isStatedAt(entry, place) ||
        (!isWithin(entry.pointer, place) &&
          placesOf(entry).some((pointer) => isWithin(pointer, place))),
    ),
  );
}

/** Returns the places that an entry decides about: where it is used, and what its answer changes or has changed. */
export function placesOf({ usedBy, affects, answers }: Unstated): readonly Pointer[] {
  return [...usedBy, ...affects, ...answers];
}

/**
 * Names ledger entries for a comment, without their texts, which a generated package has once in `open-questions.ts`:
 * one line for those that are open, with what is assumed, one for those that are settled, with the choice, and one for
 * each that a sentence settles.
 */
export function ledgerLines(entries: Iterable<Unstated>): readonly string[] {
  // Sorted, because the published documents state the same entries in another order.
  const sorted = [...new Set(entries)].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const open = sorted.filter(({ settled }) => settled === undefined);
  const chosen = sorted.filter(
    ({ choices, settled }) => settled !== undefined && choices.some(({ name }) => name === settled),
  );
  return [
    ...toLine('Open', open, ({ assumed }) => assumed && `${assumed} assumed`),
    ...toLine('Settled', chosen, ({ settled }) => settled),
    ...sorted
      .filter(isAnsweredInWords)
      .map(({ id, settled = '' }) => `Settled: ${id}: ${settled.replaceAll(/\s+/gu, ' ')}`),
  ];
}

/** Returns whether a sentence settles an entry, and not one of its choices. */
export function isAnsweredInWords({ choices, settled }: Unstated): boolean {
  return settled !== undefined && choices.every(({ name }) => name !== settled);
}

function toLine(
  title: string,
  entries: readonly Unstated[],
  answerOf: (entry: Unstated) => string | undefined,
): readonly string[] {
  if (entries.length === 0) return [];
  const names = entries.map((entry) => {
    const answer = answerOf(entry);
    return answer === undefined ? entry.id : `${entry.id} (${answer})`;
  });
  return [`${title}: ${names.join(', ')}`];
}

/** Describes what holds for a ledger entry, for pages: the settled answer, else the assumed choice, else the remark. */
export function describeAnswer({ choices, assumed, settled, remark }: Unstated): string {
  const answer = settled ?? assumed;
  if (answer === undefined) return remark ?? 'Nothing is assumed.';
  const choice = choices.find(({ name }) => name === answer);
  const described = choice === undefined ? answer : `\`${answer}\`. ${choice.meaning}`;
  return `${settled === undefined ? 'Assumed' : 'Settled'}: ${described}`;
}
