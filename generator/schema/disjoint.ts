import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import type { JsonSchema } from './model.ts';
import { isSameJson } from '../json/same-json.ts';
import { memoize } from '../execution/memoize.ts';

/**
 * Returns whether it is proven that no value satisfies both schemas. The proof uses types, constants, enumerations,
 * their negations, numeric bounds and the required members of objects. `false` means that the proof failed.
 */
export function areDisjoint(a: JsonSchema, b: JsonSchema): boolean {
  return disjoint(a, b, { steps: 1000 });
}

/** The steps that a proof has left. At 0 the proof fails: hostile schemas can need exponentially many steps. */
interface Budget {
  steps: number;
}

function disjoint(a: JsonSchema, b: JsonSchema, budget: Budget): boolean {
  if (a === false || b === false) return true;
  budget.steps -= 1;
  if (a === true || b === true || budget.steps < 0) return false;
  const values = finiteValues(a) ?? finiteValues(b);
  if (values !== undefined && values.every((value) => fails(value, a) || fails(value, b))) {
    return true;
  }
  const others = possibleTypes(b);
  const common = possibleTypes(a).filter((type) => others.includes(type));
  return (
    common.length === 0 ||
    boundsExclude(a, b, common) ||
    membersExclude(a, b, common, budget) ||
    partsExclude(a, b, budget) ||
    partsExclude(b, a, budget)
  );
}

/**
 * Returns whether the parts of `a` exclude `b`. One disjoint part of `allOf` is enough, because all parts must hold.
 * With `anyOf` and `oneOf` every part has to be disjoint.
 */
function partsExclude(a: JsonObject, b: JsonObject, budget: Budget): boolean {
  if (schemasIn(a, 'allOf').some((part) => disjoint(part, b, budget))) return true;
  return ['anyOf', 'oneOf'].some((keyword) => {
    const parts = schemasIn(a, keyword);
    return parts.length > 0 && parts.every((part) => disjoint(part, b, budget));
  });
}

function finiteValues(schema: JsonObject): readonly Json[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : undefined;
}

/** Returns whether a value certainly violates a schema. */
function fails(value: Json, schema: JsonObject): boolean {
  const { const: constant } = schema;
  if (isScalar(constant)) {
    if (constant !== value) return true;
  } else {
    const values = finiteValues(schema);
    if (values !== undefined && !mayInclude(values, value)) return true;
  }
  if (!typesOf(value).some((type) => possibleTypes(schema).includes(type))) return true;
  if (typeof value === 'number' && !isWithin(value, boundsOf(schema))) return true;
  return isJsonObject(schema['not']) && satisfies(value, schema['not']);
}

function isScalar(value: Json | undefined): boolean {
  return value !== undefined && (typeof value !== 'object' || value === null);
}

/**
 * Returns whether a list may include a value. Compares an object or array with at most 1,000 values, since more
 * comparisons take too long; returns `true` for a longer list.
 */
function mayInclude(values: readonly Json[], value: Json): boolean {
  if (typeof value === 'object' && value !== null) {
    return values.length > 1000 || values.some((allowed) => isSameJson(allowed, value));
  }
  return setOf(values).has(value);
}

const setOf = memoize((values: readonly Json[]): ReadonlySet<Json> => new Set(values));

/** Returns whether a value certainly satisfies a schema; `false` for keywords that are not in `simple`. */
function satisfies(value: Json, schema: JsonObject): boolean {
  const listed = finiteValues(schema)?.length ?? 0;
  if (schema['const'] !== undefined && schema['enum'] !== undefined) return false;
  return (
    Object.keys(schema).every((keyword) => simple.has(keyword) || keyword.startsWith('x-')) &&
    listed <= 1000 &&
    !fails(value, schema)
  );
}

const simple: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'type',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'title',
  'description',
  '$comment',
]);

const allTypes = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object'] as const;
type ValueType = (typeof allTypes)[number];

/**
 * Returns the types that a schema allows by `type`, and by `not` with only a `type`. Splits `number` into integers and
 * fractions, so that no two types overlap.
 */
function possibleTypes(schema: JsonObject): readonly ValueType[] {
  const declared = declaredTypes(schema);
  const { not } = schema;
  if (!isJsonObject(not) || Object.keys(not).some((keyword) => keyword !== 'type')) return declared;
  const excluded = declaredTypes(not);
  return declared.filter((type) => !excluded.includes(type));
}

function declaredTypes({ type }: JsonObject): readonly ValueType[] {
  if (type === undefined) return allTypes;
  return Array.isArray(type) ? typesNamed(type) : (single.get(type) ?? []);
}

function typesNamed(names: readonly unknown[]): readonly ValueType[] {
  return allTypes.filter(
    (candidate) =>
      names.includes(candidate) ||
      (names.includes('number') && (candidate === 'integer' || candidate === 'fraction')),
  );
}

const single: ReadonlyMap<Json, readonly ValueType[]> = new Map(
  [...allTypes, 'number'].map((name) => [name, typesNamed([name])]),
);

function typesOf(value: Json): readonly ValueType[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return [Number.isInteger(value) ? 'integer' : 'fraction'];
  return [typeof value as 'boolean' | 'string' | 'object'];
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly leastExcluded: boolean;
  readonly mostExcluded: boolean;
}

function boundsOf(schema: JsonObject): Bounds {
  const [least, leastExcluded] = bound(schema['minimum'], schema['exclusiveMinimum'], Math.max);
  const [most, mostExcluded] = bound(schema['maximum'], schema['exclusiveMaximum'], Math.min);
  return { least: least ?? -Infinity, most: most ?? Infinity, leastExcluded, mostExcluded };
}

function bound(
  inclusive: Json | undefined,
  exclusive: Json | undefined,
  tighter: (a: number, b: number) => number,
): readonly [number | undefined, boolean] {
  if (typeof exclusive !== 'number') {
    return [typeof inclusive === 'number' ? inclusive : undefined, exclusive === true];
  }
  if (typeof inclusive !== 'number') return [exclusive, true];
  return [tighter(inclusive, exclusive), tighter(inclusive, exclusive) === exclusive];
}

function isWithin(value: number, { least, most, leastExcluded, mostExcluded }: Bounds): boolean {
  return (
    (leastExcluded ? value > least : value >= least) &&
    (mostExcluded ? value < most : value <= most)
  );
}

/**
 * Returns whether the bounds of two schemas exclude one another. Bounds apply only to numbers, so all common types have
 * to be numeric.
 */
function boundsExclude(a: JsonObject, b: JsonObject, common: readonly ValueType[]): boolean {
  if (!common.every((type) => type === 'integer' || type === 'fraction')) return false;
  const [left, right] = [boundsOf(a), boundsOf(b)];
  return liesBelow(left, right) || liesBelow(right, left);
}

function liesBelow(a: Bounds, b: Bounds): boolean {
  return a.most < b.least || (a.most === b.least && (a.mostExcluded || b.leastExcluded));
}

/**
 * Returns whether two schemas, which have only the type `object` in common, demand disjoint values of a member that at
 * least one of them requires.
 */
function membersExclude(
  a: JsonObject,
  b: JsonObject,
  common: readonly ValueType[],
  budget: Budget,
): boolean {
  if (!common.every((type) => type === 'object')) return false;
  const required = [...namesIn(a), ...namesIn(b)];
  return required.some((name) => {
    const [left, right] = [propertyOf(a, name), propertyOf(b, name)];
    return disjoint(left, right, budget);
  });
}

function namesIn({ required }: JsonObject): readonly string[] {
  if (!Array.isArray(required)) return [];
  return (required as readonly Json[]).filter((name) => typeof name === 'string');
}

function propertyOf({ properties }: JsonObject, name: string): JsonSchema {
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return true;
  const schema = properties[name];
  return isJsonObject(schema) || typeof schema === 'boolean' ? schema : true;
}

function schemasIn(schema: JsonObject, keyword: string): readonly JsonSchema[] {
  const parts = schema[keyword];
  if (!Array.isArray(parts)) return [];
  return (parts as readonly Json[]).filter(
    (part) => isJsonObject(part) || typeof part === 'boolean',
  );
}
