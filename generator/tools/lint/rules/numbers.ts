import { type Cursor, child } from '../../../json/cursor.ts';
import { textsIn } from '../../../json/json.ts';
import { placesOf } from '../../../load/places.ts';
import { quote } from '../../../diagnostics/quote.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { enclosingSchemas, isInTest } from '../../../rules/schema-members.ts';
import { conjunctsAt } from '../../../schema/visit.ts';
import { type LintRule, createFinding } from '../rule.ts';

/**
 * Reports numbers that have neither a step nor a bound. JavaScript stores a number as a binary float, which represents
 * a decimal amount exactly only up to about 15 digits. Without a step or a bound, it is unknown whether that suffices.
 */
export const numbers: LintRule = {
  name: 'numbers',
  codes: ['unbounded-number'],
  *check({ documents }): Iterable<Diagnostic> {
    for (const place of placesOf(documents)) {
      if (place.kind !== 'schema' || !textsIn(place.value['type']).includes('number')) continue;
      if (isInTest(place) || enclosingSchemas(place).flatMap(conjunctsAt).some(isBounded)) continue;
      const name = place.member === 'properties' ? `The number ${quote(place.key)}` : 'A number';
      const message = `${name} has neither a step (\`multipleOf\`) nor a bound (\`maximum\`).`;
      yield createFinding(documents, 'unbounded-number', place.pointer, message);
    }
  },
};

const bounds = ['multipleOf', 'maximum', 'exclusiveMaximum', 'enum', 'const', 'x-extensible-enum'];

function isBounded(schema: Cursor): boolean {
  return bounds.some((keyword) => child(schema, keyword).value !== undefined);
}
