import type { NodeType } from '@redocly/openapi-core';
import type { Json } from '../../json/json.ts';
import { objectsIn } from '../../json/descend.ts';
import { isJsonSchemaFormat } from '../../specification/asyncapi-grammar.ts';

/** Payloads in a format that is not JSON Schema; in AsyncAPI 2 the format is written beside the payload. */
const otherPayloads = new WeakSet<object>();

/** Remembers the payloads of a document or of one of its files whose format is not JSON Schema. */
export function findOtherPayloads(root: Json): void {
  for (const { schemaFormat, payload } of objectsIn(root)) {
    if (typeof schemaFormat !== 'string' || isJsonSchemaFormat(schemaFormat)) continue;
    if (typeof payload === 'object' && payload !== null) otherPayloads.add(payload);
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
  const payload = (value: unknown): 'Schema' | { readonly type: 'boolean' } | typeof unread => {
    if (typeof value === 'boolean') return { type: 'boolean' };
    return typeof value === 'object' && value !== null && otherPayloads.has(value)
      ? unread
      : 'Schema';
  };
  return {
    ...types,
    Message: {
      ...Message,
      properties: { ...Message.properties, headers, payload, oneOf: 'ContractMessages' },
    },
    MessageTrait: { ...MessageTrait, properties: { ...MessageTrait.properties, headers } },
    ContractMessages: { properties: {}, items: 'Message' },
  };
}

const unread = { resolvable: false } as const;
