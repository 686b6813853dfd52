import type { Cursor } from '../json/cursor.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { mapItems, mapMembers } from '../json/map-members.ts';
import { type SchemaKeyword, schemaKeywords } from '../specification/schema-keywords.ts';
import { unwrapSchema } from '../specification/multi-format-schema.ts';
import type { JsonSchema } from './model.ts';

/** A direct subschema. */
export interface Subschema {
  readonly keyword: string;
  /** The path to it: the keyword, and its name or index there. */
  readonly path: readonly (string | number)[];
  readonly schema: JsonSchema;
}

/** Returns whether a value is a schema: an object or a boolean. */
export function isSchema(value: Json | undefined): value is JsonSchema {
  return typeof value === 'boolean' || isJsonObject(value);
}

/**
 * Applies `change` to the direct subschemas of a schema, in the author's order. Returns the same object if no subschema
 * changes. Works for schemas as they are written, too.
 */
export function mapSubschemas(
  schema: JsonObject,
  change: (schema: JsonSchema, keyword: string, key?: string | number) => JsonSchema,
): JsonObject {
  return mapMembers(schema, (value, keyword) => {
    const into = (sub: Json, key?: string | number): Json =>
      isSchema(sub) ? change(sub, keyword, key) : sub;
    switch (holderOf(keyword, value)) {
      case 'list':
        return mapItems(value as readonly Json[], into);
      case 'map':
        return mapMembers(value as JsonObject, into);
      case 'schema':
        return into(value);
      default:
        return value;
    }
  });
}

/** Returns how the value of a keyword holds subschemas, or `undefined` if it holds none. */
function holderOf(keyword: string, value: Json | undefined): 'list' | 'map' | 'schema' | undefined {
  const holds = schemaKeywords.get(keyword)?.holds;
  if (holds === undefined) return undefined;
  if (Array.isArray(value))
    return holds === 'list' || holds === 'schema-or-list' ? 'list' : undefined;
  if (holds === 'map') return isJsonObject(value) ? 'map' : undefined;
  return holds === 'list' ? undefined : 'schema';
}

/** Applies `change` to a schema and each of its subschemas, innermost first. */
export function mapSchema(
  schema: JsonSchema,
  change: (schema: JsonObject) => JsonSchema,
): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  return change(mapSubschemas(schema, (sub) => mapSchema(sub, change)));
}

/** Calls `visit` for a schema and each of its subschemas, outermost first. Does not visit booleans and data. */
export function visitSchema(schema: JsonSchema, visit: (schema: JsonObject) => void): void {
  if (!isJsonObject(schema)) return;
  visit(schema);
  eachSubschema(schema, (sub) => visitSchema(sub, visit));
}

/** Calls `visit` for the direct subschemas of a schema, in the author's order. Unlike `mapSubschemas`, copies nothing. */
function eachSubschema(
  schema: JsonObject,
  visit: (schema: JsonSchema, keyword: string, key?: string | number) => void,
  isSought: (keyword: string) => boolean = () => true,
): void {
  for (const keyword of Object.keys(schema)) {
    if (!isSought(keyword)) continue;
    const value = schema[keyword];
    const holder = holderOf(keyword, value);
    if (holder === 'schema') {
      if (isSchema(value)) visit(value, keyword);
    } else if (holder === 'list') {
      for (const [index, sub] of (value as readonly Json[]).entries())
        if (isSchema(sub)) visit(sub, keyword, index);
    } else if (holder === 'map') {
      for (const [name, sub] of Object.entries(value as JsonObject))
        if (isSchema(sub)) visit(sub, keyword, name);
    }
  }
}

/**
 * Returns the direct subschemas of a schema, in the author's order.
 * @param appliesTo selects subschemas by what they apply to; all subschemas without it
 */
export function subschemasOf(
  schema: JsonSchema,
  ...appliesTo: readonly NonNullable<SchemaKeyword['appliesTo']>[]
): readonly Subschema[] {
  const subschemas: Subschema[] = [];
  if (!isJsonObject(schema)) return subschemas;
  const isSought = (keyword: string): boolean => {
    const applies = schemaKeywords.get(keyword)?.appliesTo;
    return appliesTo.length === 0 || (applies !== undefined && appliesTo.includes(applies));
  };
  eachSubschema(
    schema,
    (sub, keyword, key) => {
      const path = key === undefined ? [keyword] : [keyword, key];
      subschemas.push({ keyword, path, schema: sub });
    },
    isSought,
  );
  return subschemas;
}

/** Returns the direct subschemas of a schema in a document, with their places. */
export function subschemasAt(
  at: Cursor,
  ...appliesTo: readonly NonNullable<SchemaKeyword['appliesTo']>[]
): readonly Cursor[] {
  if (!isJsonObject(at.value)) return [];
  return subschemasOf(at.value, ...appliesTo).map(({ path }) => at.child(...path));
}

/**
 * Returns the schemas of a document that every valid value of a schema matches: the schema, the target of its
 * reference, the schema in a Multi Format Schema Object, and the parts of `allOf`, directly or not.
 */
export function conjunctsAt(schema: Cursor): readonly Cursor[] {
  return conjunctsUntil(schema, () => false);
}

/** Returns conjuncts without those that only a schema leads to which is an end. */
export function conjunctsUntil(
  schema: Cursor,
  isEnd: (part: Cursor) => boolean,
): readonly Cursor[] {
  const conjuncts = new Map<unknown, Cursor>();
  const stack = [schema];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!isJsonObject(next.value) || conjuncts.has(next.value)) continue;
    conjuncts.set(next.value, next);
    if (next !== schema && isEnd(next)) continue;
    stack.push(next.follow(), unwrapSchema(next));
    for (const { keyword, path } of subschemasOf(next.value, 'value'))
      if (keyword === 'allOf') stack.push(next.child(...path));
  }
  return [...conjuncts.values()];
}
