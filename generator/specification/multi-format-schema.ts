import type { Cursor } from '../json/cursor.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { pointerDocument } from '../json/pointer.ts';
import { readSchemaFormat } from './schema-format.ts';

/**
 * Returns the name of the grammar of a schema outside of other schemas, which cannot be a boolean. A Multi Format
 * Schema Object has the members `schemaFormat` and `schema`.
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#multiFormatSchemaObject
 */
export function schemaNameOf(
  value: Json,
): 'schema' | 'multi-format-schema' | 'other-format-schema' {
  if (!isJsonObject(value)) return 'schema';
  const { schemaFormat } = value;
  if (typeof schemaFormat !== 'string') {
    return Object.hasOwn(value, 'schema') ? 'multi-format-schema' : 'schema';
  }
  return readSchemaFormat(schemaFormat) === undefined
    ? 'other-format-schema'
    : 'multi-format-schema';
}

/** Returns the schema inside a Multi Format Schema Object of AsyncAPI; any other schema unchanged. */
export function unwrapSchema(at: Cursor): Cursor {
  if (pointerDocument(at.pointer) !== 'asyncapi') return at;
  return schemaNameOf(at.value ?? null) === 'schema' ? at : at.child('schema');
}
