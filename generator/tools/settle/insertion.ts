/** Text that is inserted into a file of the user. */
export interface Insertion {
  /** The offset in the original text. */
  readonly at: number;
  readonly text: string;
}

/** Applies insertions to a text. Insertions at the same offset keep the given order. */
export function insert(text: string, insertions: readonly Insertion[]): string {
  let inserted = '';
  let from = 0;
  for (const { at, text: added } of inOrder(insertions)) {
    inserted += text.slice(from, at) + added;
    from = at;
  }
  return inserted + text.slice(from);
}

/** Returns whether removing the insertions from a text restores the original text. */
export function isPureInsertion(
  before: string,
  after: string,
  insertions: readonly Insertion[],
): boolean {
  let left = '';
  let from = 0;
  let shift = 0;
  for (const { at, text } of inOrder(insertions)) {
    const start = at + shift;
    if (after.slice(start, start + text.length) !== text) return false;
    left += after.slice(from, start);
    from = start + text.length;
    shift += text.length;
  }
  return left + after.slice(from) === before;
}

function inOrder(insertions: readonly Insertion[]): readonly Insertion[] {
  return insertions.toSorted((a, b) => a.at - b.at);
}
