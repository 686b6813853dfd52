import { type Json, isJsonObject } from '../json/json.ts';
import type { JsonSchema } from './model.ts';
import { isAnnotation } from '../specification/schema-keywords.ts';

/** The reason why a schema cannot identify kinds, and the path of members to the keyword. */
export interface Undecidable {
  readonly members: readonly string[];
  readonly reason: string;
}

/**
 * Returns the first keyword of a schema that constrains more than scalar values and types; `undefined` where there is
 * none.
 */
export function findUndecidable(
  schema: Json | undefined,
  members: readonly string[] = [],
): Undecidable | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isJsonObject(schema)) return { members, reason: 'this is no schema' };
  for (const [keyword, value] of Object.entries(schema)) {
    const found = findInKeyword(keyword, value, [...members, keyword]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInKeyword(
  keyword: string,
  value: Json | undefined,
  members: readonly string[],
): Undecidable | undefined {
  if (isAnnotation(keyword)) return undefined;
  switch (keyword) {
    case 'const':
    case 'enum': {
      const values = keyword === 'const' ? [value] : listOf(value);
      if (values.every(isScalar)) return undefined;
      return {
        members,
        reason: 'a delivery is compared with single values, not with objects and lists',
      };
    }
    case 'type':
      return undefined;
    case 'not':
      return findUndecidable(value, members);
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return listOf(value)
        .map((part, index) => findUndecidable(part, [...members, String(index)]))
        .find((found) => found !== undefined);
    default:
      return {
        members,
        reason: `${JSON.stringify(keyword)} is about more than single values and types`,
      };
  }
}

/** A scalar value that a condition names. */
export type Scalar = string | number | boolean | null;

/** The types of values that decisions distinguish. The type of an integer is not `number` here. */
export const valueTypes = [
  'absent',
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
] as const;

export type ValueType = (typeof valueTypes)[number];

/** Values that conditions treat alike: one that a condition names, or all other values of a type. */
export type ValueClass =
  | { readonly type: ValueType; readonly value?: undefined }
  | { readonly type: ValueType; readonly value: Scalar };

/** Returns the type of a scalar. */
export function typeOfScalar(value: Scalar): ValueType {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' ? 'string' : 'boolean';
}

/** Returns every scalar that a schema names, including those in `not`, `allOf`, `anyOf` and `oneOf` at any depth. */
export function scalarsOf(schema: JsonSchema): readonly Scalar[] {
  if (!isJsonObject(schema)) return [];
  const own = [schema['const'], ...listOf(schema['enum'])].filter(isScalar);
  return [...own, ...subschemas(schema).flatMap(scalarsOf)];
}

/**
 * Returns whether every value of a class satisfies the condition.
 * @throws TypeError for a schema that constrains more than scalar values and types
 */
export function holds(schema: JsonSchema, of: ValueClass): boolean {
  // `false` demands that the value is absent. Any other schema demands a value.
  if (of.type === 'absent') return schema === false;
  if (!isJsonObject(schema)) return schema;
  return Object.entries(schema).every(([keyword, value]) => keywordHolds(keyword, value, of));
}

function keywordHolds(keyword: string, value: Json | undefined, of: ValueClass): boolean {
  const isOwn = (candidate: Json | undefined): boolean =>
    of.value !== undefined && candidate === of.value;
  switch (keyword) {
    case 'const':
      return isOwn(assertScalar(value));
    case 'enum':
      return listOf(value).some((candidate) => isOwn(assertScalar(candidate)));
    case 'type':
      return (Array.isArray(value) ? listOf(value) : [value]).some(
        (type) => type === of.type || (type === 'number' && of.type === 'integer'),
      );
    case 'not':
      return !holds(toSchema(value), of);
    case 'allOf':
      return listOf(value).every((part) => holds(toSchema(part), of));
    case 'anyOf':
      return listOf(value).some((part) => holds(toSchema(part), of));
    case 'oneOf':
      return listOf(value).filter((part) => holds(toSchema(part), of)).length === 1;
    default:
      if (isAnnotation(keyword)) return true;
      throw new TypeError(
        `The keyword ${JSON.stringify(keyword)} cannot decide of which kind a delivery is.`,
      );
  }
}

function subschemas(schema: { readonly [name: string]: Json | undefined }): readonly JsonSchema[] {
  const lists = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap(listOf);
  return [...(schema['not'] === undefined ? [] : [schema['not']]), ...lists].map(toSchema);
}

function toSchema(value: Json | undefined): JsonSchema {
  if (isJsonObject(value) || typeof value === 'boolean') return value;
  throw new TypeError(`${JSON.stringify(value)} is no schema.`);
}

function assertScalar(value: Json | undefined): Scalar {
  if (isScalar(value)) return value;
  throw new TypeError('A condition compares with single values, not with objects and arrays.');
}

/** Returns whether a value is a scalar. */
export function isScalar(value: Json | undefined): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
