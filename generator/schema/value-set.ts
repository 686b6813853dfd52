import { memoize } from '../execution/memoize.ts';
import { type Json, type JsonObject, type Scalar, isJsonObject, isScalar } from '../json/json.ts';
import { isAnnotation } from '../specification/schema-keywords.ts';
import type { JsonSchema } from './model.ts';
import { typeOf } from './node.ts';

/** The types of present values. The type of an integer is not `number` here. */
const presentTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;

export type ValueType = 'absent' | (typeof presentTypes)[number];

/** The types of values that decisions distinguish. */
export const valueTypes: readonly ValueType[] = ['absent', ...presentTypes];

/** Values that conditions treat alike: one that a condition names, or all other values of a type. */
export interface ValueClass {
  readonly type: ValueType;
  readonly value?: Scalar;
}

/** The reason why a schema cannot identify kinds, and the path of members to the keyword. */
export interface Undecidable {
  readonly members: readonly string[];
  readonly reason: string;
}

/**
 * The values that a condition accepts, for schemas that constrain only scalar values and types. Such a schema treats
 * all values of a type alike, except those that it names.
 */
interface ValueSet {
  /** The values that the schema names, and whether it accepts them. */
  readonly named: ReadonlyMap<Scalar, boolean>;
  /** The types of which it accepts all other values. */
  readonly types: ReadonlySet<ValueType>;
}

/** Returns the type of a scalar. */
export function typeOfScalar(value: Scalar): ValueType {
  return Number.isInteger(value) ? 'integer' : typeOf(value);
}

/** Returns the first keyword that constrains more than scalar values and types; `undefined` if there is none. */
export function findUndecidable(schema: Json | undefined): Undecidable | undefined {
  const set = readSchema(schema);
  return 'reason' in set ? set : undefined;
}

/**
 * Returns every scalar that a schema names, at any depth.
 * @throws TypeError for a schema that constrains more than scalar values and types
 */
export function scalarsOf(schema: JsonSchema): readonly Scalar[] {
  return [...assertDecidable(schema).named.keys()];
}

/**
 * Returns whether every value of a class satisfies a condition. The condition `false` requires that there is no value;
 * any other condition requires a value.
 * @throws TypeError for a schema that constrains more than scalar values and types
 */
export function holds(schema: JsonSchema, of: ValueClass): boolean {
  return of.type === 'absent' ? schema === false : includes(assertDecidable(schema), of);
}

/**
 * Returns whether no value satisfies both schemas. Returns `false` for schemas that constrain more than scalar values
 * and types.
 */
export function areDisjoint(a: JsonSchema, b: JsonSchema): boolean {
  const [one, other] = [readSchema(a), readSchema(b)];
  if ('reason' in one || 'reason' in other) return false;
  // Null and the booleans are each all values of their type. The other types have values that neither schema names.
  const sharesType = openTypes.some((type) => one.types.has(type) && other.types.has(type));
  return (
    !sharesType &&
    !acceptsNamed(one, other) &&
    !acceptsNamed(other, one) &&
    !sharesUnnamed(one, other)
  );
}

/** The types with more values than schemas name. */
const openTypes = presentTypes.filter((type) => type !== 'null' && type !== 'boolean');

/** Returns whether both sets have one of the values that the first set names. */
function acceptsNamed(set: ValueSet, other: ValueSet): boolean {
  for (const [value, isAccepted] of set.named)
    if (isAccepted && includes(other, { type: typeOfScalar(value), value })) return true;
  return false;
}

/** Returns whether both sets have null or a boolean, which a type accepts without its name. */
function sharesUnnamed(one: ValueSet, other: ValueSet): boolean {
  if (one.types.size === 0 || other.types.size === 0) return false;
  return [null, true, false].some((value) => {
    const of = { type: typeOfScalar(value), value };
    return includes(one, of) && includes(other, of);
  });
}

function includes({ named, types }: ValueSet, { type, value }: ValueClass): boolean {
  return (value === undefined ? undefined : named.get(value)) ?? types.has(type);
}

function assertDecidable(schema: JsonSchema): ValueSet {
  const set = readSchema(schema);
  if ('reason' in set) throw new TypeError(`A condition is not decidable: ${set.reason}.`);
  return set;
}

const anything: ValueSet = { named: new Map(), types: new Set(presentTypes) };
const nothing: ValueSet = { named: new Map(), types: new Set() };

function readSchema(schema: Json | undefined): ValueSet | Undecidable {
  if (typeof schema === 'boolean') return schema ? anything : nothing;
  return isJsonObject(schema)
    ? readObject(schema)
    : { members: [], reason: 'this is not a schema' };
}

/** Memoized, because conditions are compared in pairs, and YAML aliases can repeat a schema exponentially often. */
const readObject = memoize((schema: JsonObject): ValueSet | Undecidable => {
  const sets: ValueSet[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const set = isAnnotation(keyword) ? anything : readKeyword(keyword, value);
    if ('reason' in set) return { ...set, members: [keyword, ...set.members] };
    if (set !== anything) sets.push(set);
  }
  const [only = anything] = sets;
  return sets.length < 2 ? only : combine(sets, (accepted) => accepted.every(Boolean));
});

function readKeyword(keyword: string, value: Json | undefined): ValueSet | Undecidable {
  const list: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [];
  switch (keyword) {
    case 'const':
    case 'enum': {
      const values = keyword === 'const' ? [value] : list;
      if (!values.every(isScalar)) {
        return {
          members: [],
          reason: 'a delivery is compared with scalars, not objects or arrays',
        };
      }
      return { named: new Map(values.map((scalar) => [scalar, true])), types: new Set() };
    }
    case 'type': {
      const names = Array.isArray(value) ? list : [value];
      const isNamed = (type: string): boolean =>
        names.includes(type) || (type === 'integer' && names.includes('number'));
      return { named: new Map(), types: new Set(presentTypes.filter(isNamed)) };
    }
    case 'not': {
      const set = readSchema(value);
      return 'reason' in set ? set : combine([set], ([accepted]) => accepted !== true);
    }
    case 'allOf':
      return readList(list, (accepted) => accepted.every(Boolean));
    case 'anyOf':
      return readList(list, (accepted) => accepted.some(Boolean));
    case 'oneOf':
      return readList(list, (accepted) => accepted.filter(Boolean).length === 1);
    default:
      return {
        members: [],
        reason: `${JSON.stringify(keyword)} constrains more than scalar values and types`,
      };
  }
}

type Combination = (accepted: readonly boolean[]) => boolean;

function readList(list: readonly Json[], combination: Combination): ValueSet | Undecidable {
  const sets: ValueSet[] = [];
  for (const [index, part] of list.entries()) {
    const set = readSchema(part);
    if ('reason' in set) return { ...set, members: [String(index), ...set.members] };
    sets.push(set);
  }
  // A hostile condition can list thousands of values in thousands of parts.
  const values = sets.reduce((sum, { named }) => sum + named.size, 0);
  if (values * sets.length > maxComparisons)
    return { members: [], reason: 'it names too many values' };
  return combine(sets, combination);
}

const maxComparisons = 10_000_000;

function combine(sets: readonly ValueSet[], combination: Combination): ValueSet {
  const accepts = (of: ValueClass): boolean => combination(sets.map((set) => includes(set, of)));
  const scalars = new Set(sets.flatMap(({ named }) => [...named.keys()]));
  return {
    named: new Map(
      Array.from(scalars, (value) => [value, accepts({ type: typeOfScalar(value), value })]),
    ),
    types: new Set(presentTypes.filter((type) => accepts({ type }))),
  };
}
