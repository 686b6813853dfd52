import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../load/documents.ts';
import { child, items, text } from '../json/cursor.ts';
import type { Rule } from './rule.ts';
import { diagnoseRecovered } from '../load/diagnose.ts';
import { quote } from '../diagnostics/quote.ts';
import { type Place, hasAny } from '../specification/walk.ts';
import { placesOf } from '../load/places.ts';

/**
 * Checks that `x-enum-varnames` and `x-enum-descriptions` have one entry for each value, and that names are distinct.
 */
export const enumNames: Rule = {
  name: 'enum-names',
  codes: ['enum-names'],
  *check({ documents }): Iterable<Diagnostic> {
    for (const place of placesOf(documents)) {
      if (place.kind !== 'schema' || !hasAny(place.value, listKeywords)) continue;
      yield* checkLengths(place, documents);
      yield* checkDistinct(place, documents);
    }
  },
};

/** The lists that annotate the values of an enumeration. */
const listKeywords = ['x-enum-varnames', 'x-enum-descriptions'] as const;

function* checkLengths(schema: Place, documents: Documents): Iterable<Diagnostic> {
  const values = ['enum', 'x-extensible-enum']
    .map((keyword) => child(schema, keyword).value)
    .find((value) => Array.isArray(value));
  for (const keyword of listKeywords) {
    const at = child(schema, keyword);
    if (!Array.isArray(at.value)) continue;
    const [given, wanted] = [at.value.length, Array.isArray(values) ? values.length : 0];
    if (given === wanted) continue;
    yield diagnoseRecovered(
      documents,
      'enum-names',
      at.pointer,
      wanted === 0
        ? `\`${keyword}\` is on a schema that has no \`enum\` and no \`x-extensible-enum\`.`
        : `\`${keyword}\` has ${count(given, 'entry', 'entries')} for ${count(wanted, 'value', 'values')}.`,
      'the list is ignored',
    );
  }
}

function* checkDistinct(schema: Place, documents: Documents): Iterable<Diagnostic> {
  const seen = new Set<string>();
  for (const item of items(child(schema, 'x-enum-varnames'))) {
    const name = text(item);
    if (name === undefined) continue;
    if (seen.has(name)) {
      yield diagnoseRecovered(
        documents,
        'enum-names',
        item.pointer,
        `The name ${quote(name)} is used for two values.`,
        'the second name gets a number',
      );
    }
    seen.add(name);
  }
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
