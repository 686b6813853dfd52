import { type Json, isJsonObject } from '../json/json.ts';
import { referenceOf } from '../json/descend.ts';
import { type Shape, data, either, listOf, mapOf, object, truth } from './shapes.ts';

/**
 * Creates the shapes of the vocabulary's keys that hold schemas or examples. The rules check all other constraints on
 * them.
 */
export function createVocabulary(schema: Shape): ReadonlyMap<string, Shape> {
  const conditions = mapOf(either(truth, schema));
  const invalidExample = object(
    {},
    {
      extensible: false,
      others: () => data,
      rule: (value) =>
        !isReference(value) && !isReference(value['payload']) && !isReference(value['headers']),
    },
  );
  const variant = object(
    { when: conditions },
    { extensible: false, others: () => data, rule: (value) => !isReference(value) },
  );
  return new Map<string, Shape>([
    ['x-invalid-examples', listOf(invalidExample)],
    ['x-identified-by', either(conditions, listOf(conditions))],
    ['x-variants', mapOf(variant)],
  ]);
}

function isReference(value: Json | undefined): boolean {
  return referenceOf(value) !== undefined || (isJsonObject(value) && '$ref' in value);
}
