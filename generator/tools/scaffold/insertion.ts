/** Text that is added to a file that people own. */
export interface Insertion {
  /** Where, as an offset into what is there. */
  readonly at: number;
  readonly text: string;
}

/** The text with everything inserted; what goes to one place goes there in the order given. */
export function insert(text: string, insertions: readonly Insertion[]): string {
  let inserted = '';
  let from = 0;
  for (const { at, text: added } of inOrder(insertions)) {
    inserted += text.slice(from, at) + added;
    from = at;
  }
  return inserted + text.slice(from);
}

/** Whether taking the insertions out of a text leaves exactly what was there before. */
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
  return insertions.toSorted((one, other) => one.at - other.at);
}
