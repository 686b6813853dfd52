import type { Json, JsonObject } from '../json/json.ts';
import { type JsonType, SchemaNode, hasType } from './node.ts';
import { normalizeKeyword } from './normalize-keyword.ts';

/** The keywords whose values are values of the schema itself. */
export const valueKeywords = ['enum', 'const', 'default'] as const;

/**
 * Converts a value of `enum`, `const` or `default` to the type of its schema. A string with a number, `true` or `false`
 * becomes that value; a number or boolean becomes a string. Returns the value unchanged if it has one of the types, or
 * if no conversion applies.
 * @param type the value of the keyword `type`
 */
export function fitValue(value: Json, type: Json | undefined): Json {
  const { types = [] } = new SchemaNode(type === undefined ? {} : { type });
  if (types.length === 0 || types.some((name) => hasType(value, name))) return value;
  for (const name of types) {
    const fitted = convert(value, name);
    if (fitted !== undefined) return fitted;
  }
  return value;
}

/** Returns a schema with the values of its `enum`, `const` and `default` converted to its type. */
export function fitValues(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (type === undefined || !valueKeywords.some((keyword) => Object.hasOwn(schema, keyword))) {
    return schema;
  }
  const types = normalizeKeyword('type', type);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (value === undefined) return [keyword, value];
      if (keyword === 'const' || keyword === 'default') return [keyword, fitValue(value, types)];
      if (keyword !== 'enum' || !Array.isArray(value)) return [keyword, value];
      return [keyword, (value as readonly Json[]).map((item) => fitValue(item, types))];
    }),
  );
}

function convert(value: Json, type: JsonType): Json | undefined {
  if (type === 'string') {
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  if (type !== 'integer' && type !== 'number') return undefined;
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) && hasType(number, type) ? number : undefined;
}
