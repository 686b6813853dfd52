import { toEnumeration } from 'countersign/companion/contract';
import type { EnumerationMember } from 'countersign';
import { formatValue } from '../format-value.ts';
import type { Findings } from './difference.ts';
import { keywordsOf, type Shape } from './shapes.ts';
import { type Place, within } from './place.ts';

/** Compares the names of the values of two enumerations in code. */
export function compareNames(base: Shape, head: Shape, findings: Findings): void {
  const [before, after] = [enumerationOf(base), enumerationOf(head)];
  if (before === undefined || after === undefined) return;
  const current = Map.groupBy(after.members, ({ value }) => value);
  for (const { value, name } of before.members) {
    const names = current.get(value)?.map((member) => member.name);
    if (names === undefined || names.includes(name)) continue;
    const shown = names.map(formatValue).join(' or ');
    const message = `The name of ${formatValue(value)} was ${formatValue(name)} and is ${shown}.`;
    findings.differ('enum-name-changed', message, within(after.at, 'x-enum-varnames'));
  }
}

/** Returns the enumeration that code has names for: that of one schema. */
function enumerationOf(
  shape: Shape,
): { readonly members: readonly EnumerationMember[]; readonly at: Place } | undefined {
  for (const [keywords, at] of keywordsOf(shape)) {
    const enumeration = toEnumeration(keywords);
    if (enumeration !== undefined) return { members: enumeration.members, at };
  }
  return undefined;
}
