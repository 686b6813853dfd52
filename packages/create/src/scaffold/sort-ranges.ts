/** Returns version ranges in the order of the names of their packages. */
export function sortRanges(
  ranges: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(ranges).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
