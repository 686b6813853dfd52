import type { JsonObject } from '../json/json.ts';
import type { WithSchemas } from './model.ts';
import { SchemaNode } from './node.ts';
import { findSchema, indexSchemas, referenceOf } from './references.ts';
import { mapSchema } from './visit.ts';

/**
 * Returns the schemas of a contract as one JSON Schema 2020-12 document with annotations and `x-` keys. Its `$defs` has
 * each schema once, by the name of its type, and schemas refer to one another there.
 */
export function publishSchemas({ schemas }: WithSchemas): JsonObject {
  const index = indexSchemas({ schemas });
  const definitions = schemas.map(({ typeName, definition }) => {
    // No reference leads to the `$defs` of a part: those that are referred to are schemas of the contract.
    const published = mapSchema(definition, (part) => {
      const { $defs: _, ...keywords } = part;
      const name = referenceOf(part);
      if (name === undefined) return keywords;
      const target = encodeURIComponent(findSchema(index, name).typeName);
      return { ...keywords, $ref: `#/$defs/${target}` };
    });
    return [typeName, new SchemaNode(published).keywords] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: Object.fromEntries(definitions),
  };
}
