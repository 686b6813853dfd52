import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../load/documents.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { diagnose } from '../load/diagnose.ts';
import { quote } from '../diagnostics/quote.ts';
import { rootsOf } from '../load/places.ts';
import { type Selector, type UnmatchedEntry, namesFor } from './choose.ts';
import type { Unit } from './units.ts';

/** The singular noun for each selector. */
const things: Readonly<Record<Selector, string>> = {
  paths: 'path',
  tags: 'tag',
  operations: 'operation',
  events: 'event',
};

/** Returns a diagnostic for an entry that matches no unit, with a suggestion. */
export function describeUnmatched(
  { member, entry, selector, elsewhere: [other] }: UnmatchedEntry,
  units: readonly Unit[],
  documents: Documents,
): Diagnostic {
  const known = [...new Set(units.flatMap((unit) => namesFor(unit, selector)))];
  const [root] = rootsOf(documents);
  return diagnose(
    documents,
    'unmatched-selection',
    root?.pointer ?? 'openapi#',
    `\`${member}\`: the contract has no ${things[selector]} ${quote(entry)}.`,
    other === undefined
      ? (nearest(entry, known) ?? knownNames(known, selector))
      : `${quote(entry)} names something under \`${other}\`.`,
  );
}

/** Returns the suggestion for a misspelled entry. Of a pattern, it compares only the text before the first `*`. */
function nearest(entry: string, known: readonly string[]): string | undefined {
  const star = entry.indexOf('*');
  if (star < 0) return didYouMean(entry, known);
  const beginnings = known.map((name) => name.slice(0, star));
  return didYouMean(
    entry,
    beginnings.map((beginning) => beginning + entry.slice(star)),
  );
}

function knownNames(known: readonly string[], selector: Selector): string | undefined {
  if (known.length === 0) return `The contract has no ${selector} at all.`;
  if (known.length > 10) return undefined;
  return `Known are ${known.map(quote).join(', ')}.`;
}
