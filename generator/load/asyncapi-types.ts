import type { NodeType } from '@redocly/openapi-core';
import { isJsonObject, type Json } from '../json/json.ts';
import { objectsIn } from '../json/descend.ts';
import { readSchemaFormat } from '../specification/schema-format.ts';
import { schemaFormatOf } from '../specification/schema-formats.ts';

/** The schemas of an AsyncAPI document and its files that have a `schemaFormat`. */
export class FormattedSchemas {
  /** Whether the format of a schema is one of JSON Schema. */
  readonly #isJsonSchema = new Map<object, boolean>();

  /** Adds the schemas of a document or of one of its files. */
  add(root: Json): void {
    if (!isJsonObject(root)) return;
    for (const holder of objectsIn(root)) {
      const { schema, payload } = holder;
      if (schema === undefined && payload === undefined) continue;
      const format = schemaFormatOf(holder, root);
      if (format === undefined) continue;
      for (const value of [schema, payload]) {
        if (typeof value === 'object' && value !== null) {
          this.#isJsonSchema.set(value, readSchemaFormat(format) !== undefined);
        }
      }
    }
  }

  /** Returns Redocly's type of a schema, by its format. */
  typeOf(value: unknown): SchemaType {
    if (typeof value === 'boolean') return { type: 'boolean' };
    return this.has(value) && this.#isJsonSchema.get(value) === false
      ? { resolvable: false }
      : 'Schema';
  }

  has(value: unknown): value is object {
    return typeof value === 'object' && value !== null && this.#isJsonSchema.has(value);
  }
}

/**
 * Corrects Redocly's description of AsyncAPI 2: it does not follow references in the alternatives of a message, and
 * takes every payload for a JSON Schema.
 */
export function toAsyncapi2Types(
  types: Record<string, NodeType>,
  formattedSchemas: FormattedSchemas,
): Record<string, NodeType> {
  const { Message, MessageTrait } = types;
  if (Message === undefined || MessageTrait === undefined) return types;
  const headers = 'Schema';
  return {
    ...types,
    Message: {
      ...Message,
      properties: {
        ...Message.properties,
        headers,
        payload: (value: unknown) => formattedSchemas.typeOf(value),
        oneOf: 'ContractMessages',
      },
    },
    MessageTrait: { ...MessageTrait, properties: { ...MessageTrait.properties, headers } },
    ContractMessages: { properties: {}, items: 'Message' },
  };
}

/**
 * Corrects Redocly's description of AsyncAPI 3: it takes a Multi Format Schema Object that is the target of a reference
 * for a Schema Object, and every component with a `schemaFormat` for a JSON Schema.
 */
export function toAsyncapi3Types(
  types: Record<string, NodeType>,
  formattedSchemas: FormattedSchemas,
): Record<string, NodeType> {
  const { Schema, MultiFormatSchema } = types;
  if (Schema === undefined || MultiFormatSchema === undefined) return types;
  const ofWrapper = (value: unknown): SchemaType => formattedSchemas.typeOf(value);
  const ofSchema = (value: unknown): SchemaType | undefined =>
    formattedSchemas.has(value) ? formattedSchemas.typeOf(value) : undefined;
  return {
    ...types,
    Schema: { ...Schema, properties: { ...Schema.properties, schema: ofSchema } },
    MultiFormatSchema: {
      ...MultiFormatSchema,
      properties: { ...MultiFormatSchema.properties, schema: ofWrapper },
    },
  };
}

type SchemaType = 'Schema' | { readonly type: 'boolean' } | { readonly resolvable: false };
