import type { Documents } from '../documents/documents.ts';
import { placesOf } from '../documents/places.ts';
import type { Cursor } from '../json/cursor.ts';
import { conditionsAt } from '../recognition/written-conditions.ts';
import { maxLengthOf } from '../schema/normalize-keyword.ts';
import { type Place, hasAny, walk } from '../specification/walk.ts';

/** A regular expression of a contract, and its place. */
export interface WrittenPattern {
  readonly pattern: string;
  readonly at: Cursor;
  /** The `maxLength` beside a `pattern`. */
  readonly maxLength?: number | undefined;
  /** Set for a pattern that decides what a delivery is. */
  readonly isCondition?: true;
}

/** Yields every `pattern` and every key of `patternProperties`, including those in conditions. */
export function* writtenPatterns(documents: Documents): Iterable<WrittenPattern> {
  for (const place of placesOf(documents)) {
    if (place.kind === 'schema') yield* patternsOf(place);
    for (const { schema } of conditionsAt(place)) {
      for (const inner of walk(schema, 'schema'))
        for (const pattern of patternsOf(inner)) yield { ...pattern, isCondition: true };
    }
  }
}

function patternsOf(schema: Place): readonly WrittenPattern[] {
  if (!hasAny(schema.value, ['pattern', 'patternProperties'])) return [];
  const at = schema.child('pattern');
  const patternText = at.text();
  return [
    ...(patternText === undefined
      ? []
      : [{ pattern: patternText, at, maxLength: maxLengthOf(schema) }]),
    ...schema.entries('patternProperties').map(([pattern, property]) => ({
      pattern,
      at: property,
    })),
  ];
}
