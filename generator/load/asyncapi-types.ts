import type { NodeType } from '@redocly/openapi-core';
import { isJsonObject, type Json } from '../json/json.ts';
import { objectsIn } from '../json/descend.ts';
import { isJsonSchemaFormat } from '../specification/asyncapi-grammar.ts';
import { schemaFormatOf } from '../specification/schema-formats.ts';

/** The schemas that have a `schemaFormat`, and whether it is a format of JSON Schema. */
const formatted = new WeakMap<object, boolean>();

/** Remembers the schemas with a `schemaFormat` in an AsyncAPI document or in one of its files. */
export function findSchemaFormats(root: Json): void {
  if (!isJsonObject(root)) return;
  for (const holder of objectsIn(root)) {
    const { schema, payload } = holder;
    if (schema === undefined && payload === undefined) continue;
    const format = schemaFormatOf(holder, root);
    if (format === undefined) continue;
    for (const value of [schema, payload]) {
      if (typeof value === 'object' && value !== null) {
        formatted.set(value, isJsonSchemaFormat(format));
      }
    }
  }
}

/**
 * Corrects Redocly's description of AsyncAPI 2: it does not follow references in the alternatives of a message, and
 * takes every payload for a JSON Schema.
 */
export function toAsyncapi2Types(types: Record<string, NodeType>): Record<string, NodeType> {
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
        payload: (value: unknown) => toSchemaType(value),
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
export function toAsyncapi3Types(types: Record<string, NodeType>): Record<string, NodeType> {
  const { Schema, MultiFormatSchema } = types;
  if (Schema === undefined || MultiFormatSchema === undefined) return types;
  const ofWrapper = (value: unknown): SchemaType => toSchemaType(value);
  const ofSchema = (value: unknown): SchemaType | undefined =>
    isFormatted(value) ? toSchemaType(value) : undefined;
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

function toSchemaType(value: unknown): SchemaType {
  if (typeof value === 'boolean') return { type: 'boolean' };
  const isOther = isFormatted(value) && formatted.get(value) === false;
  return isOther ? { resolvable: false } : 'Schema';
}

function isFormatted(value: unknown): value is object {
  return typeof value === 'object' && value !== null && formatted.has(value);
}
