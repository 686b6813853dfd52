import type { Json } from '../json/json.ts';
import { escapeMember } from '../json/pointer.ts';
import type { JsonSchema } from './model.ts';
import { mapReferences } from './references.ts';

/**
 * Converts references for a published document. Puts a reference that has annotations into `allOf`, because both
 * dialects read it alike only there.
 */
export function toComponentReferences(schema: JsonSchema): JsonSchema {
  return mapReferences(schema, (name, annotations) =>
    Object.keys(annotations).length === 0
      ? toComponent(name)
      : { allOf: [toComponent(name)], ...annotations },
  );
}

/** Returns the reference to a schema of the components of a document. */
export function toComponent(name: string): { readonly $ref: Json } {
  return { $ref: `#/components/schemas/${escapeMember(name)}` };
}
