import type { Cursor } from '../../../json/cursor.ts';
import { textsIn } from '../../../json/json.ts';
import { schemasWith } from '../../../documents/places.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { enclosingSchemas, isInTest } from '../../../rules/schema-members.ts';
import { conjunctsAt } from '../../../schema/visit.ts';
import type { LintRule } from '../rule.ts';

/**
 * Reports numbers that have neither a step nor a bound. JavaScript stores a number as a binary float, which represents
 * a decimal amount exactly only up to about 15 digits. Without a step or a bound, it is unknown whether that suffices.
 */
export const numbers: LintRule = {
  codes: ['unbounded-number'],
  *check({ documents }) {
    for (const place of schemasWith(documents, 'type')) {
      if (!textsIn(place.value['type']).includes('number')) continue;
      if (isInTest(place) || enclosingSchemas(place).flatMap(conjunctsAt).some(isBounded)) continue;
      const name = place.member === 'properties' ? `The number ${quote(place.key)}` : 'A number';
      const message = `${name} has neither a step (\`multipleOf\`) nor a bound (\`maximum\`).`;
      yield { pointer: place.pointer, message };
    }
  },
};

const bounds = ['multipleOf', 'maximum', 'exclusiveMaximum', 'enum', 'const', 'x-extensible-enum'];

function isBounded(schema: Cursor): boolean {
  return bounds.some((keyword) => schema.valueIn(keyword) !== undefined);
}
