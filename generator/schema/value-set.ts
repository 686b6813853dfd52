import { memoize } from '../execution/memoize.ts';
import { type Json, type JsonObject, type Scalar, isJsonObject, isScalar } from '../json/json.ts';
import { isAnnotation, schemaKeywords } from '../specification/schema-keywords.ts';
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
  /** The patterns that match, for a text without `value`. */
  readonly matches?: ReadonlySet<string>;
}

/** The reason why a schema cannot identify kinds, and the path of members to the keyword. */
export interface Undecidable {
  readonly members: readonly string[];
  readonly reason: string;
  /** The keyword, if it is none of JSON Schema. It can be a misspelled one. */
  readonly unknown?: string;
}

/** The keywords of schemas that can identify kinds. */
export const decidableKeywords: readonly string[] = [
  'const',
  'enum',
  'type',
  'pattern',
  'not',
  'allOf',
  'anyOf',
  'oneOf',
];

/**
 * The values that a condition accepts, for schemas that constrain only scalar values, types and patterns. Such a schema
 * treats all values of a type alike, except those that it names, and texts that different patterns match.
 */
interface ValueSet {
  /** The values that the schema names. */
  readonly scalars: ReadonlySet<Scalar>;
  /** The patterns that the schema names. */
  readonly patterns: ReadonlySet<string>;
  readonly accepts: (of: ValueClass) => boolean;
}

/** Returns the type of a scalar. */
export function typeOfScalar(value: Scalar): ValueType {
  return Number.isInteger(value) ? 'integer' : typeOf(value);
}

/**
 * Returns the first keyword that constrains more than scalar values, types and patterns; `undefined` if there is none. It
 * matches no pattern.
 */
export function findUndecidable(schema: Json | undefined): Undecidable | undefined {
  const set = readSchema(schema);
  return 'reason' in set ? set : undefined;
}

/**
 * Returns every scalar that a schema names, at any depth.
 * @throws TypeError for a schema that constrains more than scalar values, types and patterns
 */
export function scalarsOf(schema: JsonSchema): readonly Scalar[] {
  return [...assertDecidable(schema).scalars];
}

/**
 * Returns every pattern that a schema names, at any depth.
 * @throws TypeError for a schema that constrains more than scalar values, types and patterns
 */
export function patternsOf(schema: JsonSchema): readonly string[] {
  return [...assertDecidable(schema).patterns];
}

/**
 * Returns whether a text that the schema does not name satisfies it; `undefined` where that depends on further patterns.
 * @param facts whether patterns match the text, as far as that is known
 * @throws TypeError for a schema that constrains more than scalar values, types and patterns
 */
export function holdsForText(
  schema: JsonSchema,
  facts: ReadonlyMap<string, boolean>,
): boolean | undefined {
  const set = assertDecidable(schema);
  const open = [...set.patterns].filter((pattern) => !facts.has(pattern));
  const matching = [...set.patterns].filter((pattern) => facts.get(pattern) === true);
  const results = new Set(
    Array.from(subsetsOf(open), (more) =>
      set.accepts({ type: 'string', matches: new Set([...matching, ...more]) }),
    ),
  );
  return results.size > 1 ? undefined : results.has(true);
}

/**
 * Returns whether every value of a class satisfies a condition. The condition `false` requires that there is no value;
 * any other condition requires a value. For a text that the schema does not name, its patterns are matched.
 * @throws TypeError for a schema that constrains more than scalar values, types and patterns
 */
export function holds(schema: JsonSchema, of: ValueClass): boolean {
  return of.type === 'absent' ? schema === false : assertDecidable(schema).accepts(of);
}

/**
 * Returns whether no value satisfies both schemas. Returns `false` for schemas that constrain more than scalar values,
 * types and patterns. Two patterns count as matching a common text.
 */
export function areDisjoint(a: JsonSchema, b: JsonSchema): boolean {
  const [first, second] = [readSchema(a), readSchema(b)];
  if ('reason' in first || 'reason' in second) return false;
  const [own, other] = [unnamedOf(first), unnamedOf(second)];
  return (
    (own.classes & other.classes) === 0 &&
    !(own.hasText && other.hasText && sharesText(first, second)) &&
    !acceptsNamed(first, second) &&
    !acceptsNamed(second, first)
  );
}

/** The types with more values than schemas name, without texts. */
const openTypes = presentTypes.filter(
  (type) => type !== 'null' && type !== 'boolean' && type !== 'string',
);

/**
 * Values other than texts that a set can have without naming them. Null and the booleans are each all values of their
 * type. The other types have values that no schema names.
 */
const unnamedClasses: readonly ValueClass[] = [
  ...openTypes.map((type) => ({ type })),
  ...[null, true, false].map((value) => ({ type: typeOfScalar(value), value })),
];

/** Values of a set that it does not name: bits for `unnamedClasses`, and whether texts are among them. */
interface Unnamed {
  readonly classes: number;
  readonly hasText: boolean;
}

/** Memoized, because conditions are compared in pairs. */
const unnamedOf = memoize((set: ValueSet): Unnamed => ({
  classes: unnamedClasses.reduce(
    (bits, of, index) => (set.accepts(of) ? bits | (1 << index) : bits),
    0,
  ),
  hasText: [...subsetsOf([...set.patterns])].some((some) =>
    set.accepts({ type: 'string', matches: new Set(some) }),
  ),
}));

/** Returns whether two sets have a text that they do not name. Both have such texts. */
function sharesText(first: ValueSet, second: ValueSet): boolean {
  // Texts match different patterns in any combination.
  if (![...first.patterns].some((pattern) => second.patterns.has(pattern))) return true;
  for (const some of subsetsOf([...new Set([...first.patterns, ...second.patterns])])) {
    const of = { type: 'string', matches: new Set(some) } as const;
    if (first.accepts(of) && second.accepts(of)) return true;
  }
  return false;
}

/** Yields every subset of a few values. */
function* subsetsOf(values: readonly string[]): Generator<readonly string[]> {
  for (let bits = 0; bits < 2 ** values.length; bits += 1)
    yield values.filter((_, index) => Math.floor(bits / 2 ** index) % 2 === 1);
}

/** Returns whether both sets have one of the values that the first set names. */
function acceptsNamed(set: ValueSet, other: ValueSet): boolean {
  for (const value of set.scalars) {
    const of = { type: typeOfScalar(value), value };
    if (set.accepts(of) && other.accepts(of)) return true;
  }
  return false;
}

function assertDecidable(schema: JsonSchema): ValueSet {
  const set = readSchema(schema);
  if ('reason' in set) throw new TypeError(`A condition is not decidable: ${set.reason}.`);
  return set;
}

const none: ReadonlySet<never> = new Set();
const anything: ValueSet = { scalars: none, patterns: none, accepts: () => true };
const nothing: ValueSet = { scalars: none, patterns: none, accepts: () => false };

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
      const scalars = new Set(values);
      const accepts = ({ value: classValue }: ValueClass): boolean =>
        classValue !== undefined && scalars.has(classValue);
      return { scalars, patterns: none, accepts };
    }
    case 'type': {
      const names = Array.isArray(value) ? list : [value];
      const isNamed = (type: string): boolean =>
        names.includes(type) || (type === 'integer' && names.includes('number'));
      const types = new Set<ValueType>(presentTypes.filter(isNamed));
      return { scalars: none, patterns: none, accepts: ({ type }) => types.has(type) };
    }
    case 'pattern':
      return typeof value === 'string'
        ? patternSet(value)
        : { members: [], reason: 'code cannot match this pattern' };
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
    default: {
      const name = JSON.stringify(keyword);
      return schemaKeywords.has(keyword)
        ? {
            members: [],
            reason: `${name} constrains more than scalar values, types and patterns`,
          }
        : { members: [], reason: `${name} is not a keyword of JSON Schema`, unknown: keyword };
    }
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
  const values = sets.reduce((sum, { scalars }) => sum + scalars.size, 0);
  if (values * sets.length > maxComparisons)
    return { members: [], reason: 'it names too many values' };
  return combine(sets, combination);
}

const maxComparisons = 10_000_000;

/** The maximum number of patterns in one condition, because each combination of them is a case. */
const maxPatterns = 5;

function patternSet(pattern: string): ValueSet {
  return {
    scalars: none,
    patterns: new Set([pattern]),
    accepts: ({ type, value, matches }) =>
      type !== 'string' ||
      (typeof value === 'string'
        ? toExpression(pattern).test(value)
        : matches?.has(pattern) === true),
  };
}

const expressions = new Map<string, RegExp>();
const maxExpressions = 1000;

function toExpression(pattern: string): RegExp {
  if (expressions.size > maxExpressions) expressions.clear();
  const expression = expressions.get(pattern) ?? new RegExp(pattern, 'u');
  expressions.set(pattern, expression);
  return expression;
}

function combine(sets: readonly ValueSet[], combination: Combination): ValueSet | Undecidable {
  const patterns = new Set(sets.flatMap((set) => [...set.patterns]));
  if (patterns.size > maxPatterns)
    return { members: [], reason: `it has more than ${maxPatterns} patterns` };
  const scalars = new Set(sets.flatMap((set) => [...set.scalars]));
  const cache = { values: new Map<Scalar, boolean>(), types: new Map<string, boolean>() };
  const decide = (of: ValueClass): boolean => combination(sets.map((set) => set.accepts(of)));
  return {
    scalars,
    patterns,
    // Aliases in YAML can repeat a part exponentially often, so that each case is decided once.
    accepts(of) {
      const { type, value } = of;
      if (value !== undefined && scalars.has(value))
        return memo(cache.values, value, () => decide({ type, value }));
      const isMatching = (pattern: string): boolean =>
        typeof value === 'string'
          ? toExpression(pattern).test(value)
          : of.matches?.has(pattern) === true;
      const matching = type === 'string' ? [...patterns].filter(isMatching) : [];
      return memo(cache.types, JSON.stringify([type, matching]), () =>
        decide({ type, matches: new Set(matching) }),
      );
    },
  };
}

function memo<Key>(cache: Map<Key, boolean>, key: Key, decide: () => boolean): boolean {
  const before = cache.get(key);
  if (before !== undefined) return before;
  const decided = decide();
  cache.set(key, decided);
  return decided;
}
