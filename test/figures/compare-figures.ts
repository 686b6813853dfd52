/** Sizes and counts by their names, and lists, which are compared without their order. */
export type Figures = Readonly<Record<string, number | readonly string[]>>;

/** How far a number may exceed the recorded one. */
const room = 0.05;

/**
 * Compares measured figures with recorded ones, and returns a sentence for each that is out of bounds. A number may be
 * smaller than the recorded one, and 5 % greater. A list has exactly the recorded entries.
 */
export function compareFigures(recorded: Figures, measured: Figures): readonly string[] {
  const isList = (name: string): boolean => typeof (recorded[name] ?? measured[name]) !== 'number';
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(measured)])];
  // What was added to a list explains most numbers.
  const listsFirst = names.toSorted((a, b) => Number(isList(b)) - Number(isList(a)));
  return listsFirst.flatMap((name) => compareFigure(name, recorded[name], measured[name]));
}

function compareFigure(
  name: string,
  recorded: Figures[string] | undefined,
  measured: Figures[string] | undefined,
): readonly string[] {
  if (recorded === undefined) return [`${name}: no figure is recorded.`];
  if (measured === undefined) return [`${name}: recorded, but not measured.`];
  if (typeof recorded === 'number' && typeof measured === 'number') {
    const limit = Math.floor(recorded * (1 + room));
    return measured <= limit
      ? []
      : [`${name}: ${measured}, at most ${limit} (${recorded} recorded, and 5 % of room).`];
  }
  if (typeof recorded === 'number' || typeof measured === 'number')
    return [`${name}: a number and a list.`];
  const added = measured.filter((entry) => !recorded.includes(entry));
  const removed = recorded.filter((entry) => !measured.includes(entry));
  return [
    ...(added.length > 0 ? [`${name}: ${added.join(', ')}, not recorded.`] : []),
    ...(removed.length > 0 ? [`${name}: ${removed.join(', ')} no longer.`] : []),
  ];
}
