import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Content } from '../contract.ts';
import { kindOf } from '../../specification/media-type.ts';
import { isSequence } from '../media-types.ts';
import type { Cursor } from '../../json/cursor.ts';
import type { SchemaRegistry } from './schema-registry.ts';

/**
 * Returns the schema of one item of a sequence: OpenAPI 3.2's `itemSchema`, or `items` where the media type's schema is
 * an array. For events whose `data` is JSON, the schema describes the parsed value instead of the text. Such `data` has
 * a `contentSchema`, or a type other than string.
 */
export function lowerItems(
  mediaType: string,
  at: Cursor,
  wanted: string,
  schemas: SchemaRegistry,
): Pick<Content, 'itemSchema' | 'hasJsonData'> {
  const kind = kindOf(mediaType);
  if (!isSequence(kind)) return {};
  const itemSchema = at.child('itemSchema');
  const list = at.child('schema').follow();
  const isList = itemSchema.value === undefined && list.text('type') === 'array';
  const item = isList ? list.child('items') : itemSchema;
  if (item.value === undefined) return {};
  if (kind === 'lines') return { itemSchema: schemas.nameAt(item, `${wanted} Item`) };
  const read = readData(item);
  return {
    itemSchema: schemas.nameAt(read === undefined ? item : item.withValue(read), `${wanted} Event`),
    ...(read === undefined ? {} : { hasJsonData: true }),
  };
}

/**
 * Returns the schema of an event in which `data` has the schema of its parsed value. Returns `undefined` where `data`
 * is text in some event.
 */
function readData(at: Cursor): JsonObject | undefined {
  const schema = at.follow();
  if (!isJsonObject(schema.value)) return undefined;
  for (const word of ['oneOf', 'anyOf']) {
    const events = schema.items(word).map(readData);
    if (events.length === 0) continue;
    const all = events.filter((event) => event !== undefined);
    return all.length === events.length ? { ...schema.value, [word]: all } : undefined;
  }
  const data = schema.child('properties', 'data');
  const text = data.follow();
  const content = text.valueIn('contentSchema');
  const type = text.valueIn('type');
  const value = content ?? (type === undefined || type === 'string' ? undefined : data.value);
  if (value === undefined) return undefined;
  const properties = schema
    .entries('properties')
    .map(([name, property]) => [name, name === 'data' ? value : property.value]);
  return { ...schema.value, properties: Object.fromEntries(properties) };
}
