import { schemasWith } from '../documents/places.ts';
import type { Rule } from './rule.ts';

/** Checks that each `enum` lists a value. JSON Schema allows an empty one, which makes every value invalid. */
export const emptyEnums: Rule = {
  codes: ['empty-enum'],
  *check({ documents }) {
    for (const place of schemasWith(documents, 'enum')) {
      const { pointer, value } = place.child('enum');
      if (!Array.isArray(value) || value.length > 0) continue;
      const message = 'The `enum` lists no value, so no value is valid.';
      yield { pointer, message, until: 'the keyword is ignored' };
    }
  },
};
