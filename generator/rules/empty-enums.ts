import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { child } from '../json/cursor.ts';
import { hasAny } from '../specification/walk.ts';
import { placesOf } from '../load/places.ts';
import type { Rule } from './rule.ts';
import { diagnoseRecovered } from '../load/diagnose.ts';

/** Checks that each `enum` lists a value. JSON Schema allows an empty one, which makes every value invalid. */
export const emptyEnums: Rule = {
  name: 'empty-enums',
  codes: ['empty-enum'],
  *check({ documents }): Iterable<Diagnostic> {
    for (const place of placesOf(documents)) {
      if (place.kind !== 'schema' || !hasAny(place.value, ['enum'])) continue;
      const { pointer, value } = child(place, 'enum');
      if (!Array.isArray(value) || value.length > 0) continue;
      const message = 'The `enum` lists no value, so that no value is valid.';
      yield diagnoseRecovered(documents, 'empty-enum', pointer, message, 'the keyword is ignored');
    }
  },
};
