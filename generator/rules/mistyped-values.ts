import type { Cursor } from '../json/cursor.ts';
import { fitValue, valueKeywords } from '../schema/fit-value.ts';
import type { Place } from '../specification/walk.ts';
import { schemasWith } from '../documents/places.ts';
import { normalizeKeyword } from '../schema/normalize-keyword.ts';
import type { Rule } from './rule.ts';
import { quoteValues } from '../diagnostics/quote.ts';

/** Checks that the values of `enum`, `const` and `default` have the type of their schema. */
export const mistypedValues: Rule = {
  codes: ['mistyped-value'],
  *check({ documents }) {
    for (const place of schemasWith(documents, ...valueKeywords)) {
      const type = normalizeKeyword('type', place.valueIn('type'));
      for (const at of valuesOf(place)) {
        const { value } = at;
        if (value === undefined) continue;
        const fitted = fitValue(value, type);
        if (fitted === value) continue;
        const message = `The value ${quoteValues([value])} is not of the type ${JSON.stringify(type)}.`;
        const until = `it is read as ${quoteValues([fitted])}`;
        yield { pointer: at.pointer, message, until };
      }
    }
  },
};

function valuesOf(schema: Place): readonly Cursor[] {
  return valueKeywords.flatMap((keyword) => {
    const at = schema.child(keyword);
    return keyword === 'enum' ? at.items() : [at];
  });
}
