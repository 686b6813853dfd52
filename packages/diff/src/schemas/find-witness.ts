import { formats } from 'countersign/companion/contract';
import { toCanonical } from 'countersign/companion/values';
import type { Json, SchemaIndex } from 'countersign/kit';
import type { Part } from './place.ts';
import { type Shape, shapesOf } from './shapes.ts';

/** Returns whether a schema accepts a value; `undefined` if that cannot be judged. */
export type Check = (value: Json) => boolean | undefined;

/** A value for each direction that only one of two schemas accepts. */
export interface Witnesses {
  readonly fewer?: Json;
  readonly more?: Json;
}

/** The most values that are made of each schema, and of each part of it. */
const maxValues = 400;
const maxOfPart = 24;
const maxDepth = 4;

/**
 * Searches for values that only one of two schemas accepts, at the limits of both. Without such a value, the schemas may
 * accept the same values.
 */
export function findWitnesses(
  base: { readonly parts: readonly Part[]; readonly index: SchemaIndex; readonly accepts: Check },
  head: { readonly parts: readonly Part[]; readonly index: SchemaIndex; readonly accepts: Check },
): Witnesses {
  let witnesses: Witnesses = {};
  const seen = new Set<string>();
  for (const { parts, index } of [base, head]) {
    for (const value of samplesOf(parts, index, maxDepth).slice(0, maxValues)) {
      const key = toCanonical(value);
      if (seen.has(key)) continue;
      seen.add(key);
      const [was, is] = [base.accepts(value), head.accepts(value)];
      if (was === true && is === false) witnesses = { fewer: value, ...witnesses };
      if (was === false && is === true) witnesses = { more: value, ...witnesses };
      if ('fewer' in witnesses && 'more' in witnesses) return witnesses;
    }
  }
  return witnesses;
}

/** How deep schemas that refer to themselves are followed for the smallest value. */
const maxLeastDepth = 12;

/** The schemas of one contract, with what is searched in them. */
export interface Surroundings {
  readonly index: SchemaIndex;
  readonly checkOf: (parts: readonly Part[]) => Check;
  /** Returns whether the schemas of a member or an item are those of the value. */
  readonly isPlace: (parts: readonly Part[]) => boolean;
}

/**
 * Returns values of a schema that contain a given one, each with no more beside it than the schema requires. The value
 * itself comes first, because an alternative of a union has no member around it.
 */
export function valuesAround(
  value: Json,
  parts: readonly Part[],
  { index, checkOf, isPlace }: Surroundings,
): readonly Json[] {
  const make = createLeast(index, checkOf);
  const around = (shapesOf(parts, index) ?? []).flatMap((shape): readonly Json[] => {
    if (shape.kind === 'array') {
      const list = make.array(shape, maxLeastDepth);
      const at = shape.prefix.findIndex((member) => isPlace(member.parts));
      if (at >= 0) return [list.with(at, value)];
      return isPlace(shape.rest) ? [[...list.slice(0, -1), value]] : [];
    }
    if (shape.kind !== 'object') return [];
    const names = [...shape.members].flatMap(([name, member]) =>
      isPlace(member.parts) ? [name] : [],
    );
    const all = isPlace(shape.rest) ? [...names, 'zz'] : names;
    if (all.length === 0) return [];
    const object = make.object(shape, maxLeastDepth);
    return all.map((name) => ({ ...object, [name]: value }));
  });
  return [value, ...around];
}

interface Least {
  object(shape: Shape, depth: number): Record<string, Json>;
  array(shape: Shape, depth: number): Json[];
}

/** Creates functions that make values with nothing that a schema does not require. */
function createLeast(index: SchemaIndex, checkOf?: Surroundings['checkOf']): Least {
  const known = new WeakMap<object, Json>();
  const valueOf = (parts: readonly Part[], depth: number): Json => {
    const [only] = parts;
    const schema = only?.schema;
    const isOne = parts.length === 1 && typeof schema === 'object';
    const before = isOne ? known.get(schema) : undefined;
    if (before !== undefined) return before;
    const value = make(parts, depth);
    if (isOne) known.set(schema, value);
    return value;
  };
  const make = (parts: readonly Part[], depth: number): Json => {
    const shapes = parts.length === 0 ? [] : (shapesOf(parts, index) ?? []);
    const [first] = shapes;
    if (first === undefined) return 'a';
    const ofFirst = ofShape(first, depth);
    const accepts = first.choice.isExclusive && depth > 0 ? checkOf?.(parts) : undefined;
    if (accepts === undefined || accepts(ofFirst) === true) return ofFirst;
    // The smallest value of an alternative can be one of another, which `oneOf` refuses.
    const others = [
      ...shapes.slice(1).map((shape) => ofShape(shape, depth)),
      ...samplesOf(parts, index, 2).slice(0, maxValues),
    ];
    return others.find((value) => accepts(value) === true) ?? ofFirst;
  };
  const ofShape = (shape: Shape, depth: number): Json => {
    if (shape.values !== undefined) return [...shape.values.values()][0] ?? null;
    if (depth === 0) return shape.kind === 'array' ? [] : {};
    if (shape.kind === 'object') return object(shape, depth);
    if (shape.kind === 'array') return array(shape, depth);
    return samplesOfShape(shape, index, depth)[0] ?? 'a';
  };
  const object = (shape: Shape, depth: number): Record<string, Json> =>
    Object.fromEntries(
      [...shape.members].flatMap(([name, { parts, required }]) =>
        required === undefined ? [] : [[name, valueOf(parts, depth - 1)]],
      ),
    );
  const array = (shape: Shape, depth: number): Json[] => {
    const least = Math.max(limit(shape, 'minItems') ?? 0, shape.prefix.length);
    return Array.from({ length: Math.min(least, maxLength) }, (_, position) =>
      valueOf(shape.prefix[position]?.parts ?? shape.rest, depth - 1),
    );
  };
  return { object, array };
}

const others: readonly Json[] = [null, true, 0, 1.5, 'zz', [], {}];

/** Returns values of a schema, with some at its limits and some beyond. */
function samplesOf(parts: readonly Part[], index: SchemaIndex, depth: number): readonly Json[] {
  const shapes = parts.length === 0 ? [] : (shapesOf(parts, index) ?? []);
  const samples = shapes.map((shape) => samplesOfShape(shape, index, depth));
  // The first values of each alternative come before further ones of the first.
  const longest = Math.max(0, ...samples.map(({ length }) => length));
  const mixed = Array.from({ length: longest }, (_, position) =>
    samples.flatMap((list) => (position < list.length ? [list[position] ?? null] : [])),
  ).flat();
  return [...mixed, ...others];
}

function samplesOfShape(shape: Shape, index: SchemaIndex, depth: number): readonly Json[] {
  if (shape.values !== undefined && shape.kind !== 'object') {
    const values = [...shape.values.values()];
    return [...values.slice(0, 40), ...values.slice(-1)];
  }
  if (shape.kind === 'number') return numbersOf(shape);
  if (shape.kind === 'string') return textsOf(shape);
  if (shape.kind === 'array') return arraysOf(shape, index, depth);
  if (shape.kind === 'object')
    return [...(shape.values?.values() ?? []), ...objectsOf(shape, index, depth)];
  return [];
}

function limit(shape: Shape, keyword: string): number | undefined {
  return shape.limits.get(keyword)?.value;
}

function numbersOf(shape: Shape): readonly Json[] {
  const bounds = [...shape.limits].flatMap(([keyword, { value }]) =>
    keyword === 'format' ? [2 ** (value - 1) - 1, 2 ** (value - 1)] : [value],
  );
  const steps = [...shape.rules.values()].flatMap(({ keyword, value }) =>
    keyword === 'multipleOf' && typeof value === 'number' ? [value, value * 2, value * 3] : [],
  );
  const inside = bounds.length === 2 ? [(Number(bounds[0]) + Number(bounds[1])) / 2] : [];
  const near = bounds.flatMap((bound) => [bound, bound - 1, bound + 1, bound - 0.5, bound + 0.5]);
  const all = [...steps, ...inside, ...near, 0, 1, 2, -1, 0.5, 3, 7, 100, -100, 2 ** 31, 2 ** 40];
  const isInside = (value: number): boolean =>
    value >= (limit(shape, 'minimum') ?? limit(shape, 'exclusiveMinimum') ?? -Infinity) &&
    value <= (limit(shape, 'maximum') ?? limit(shape, 'exclusiveMaximum') ?? Infinity) &&
    (!shape.isInteger || Number.isInteger(value));
  return [...all.filter(isInside), ...all.filter((value) => !isInside(value))];
}

const texts: readonly string[] = [
  'a',
  '',
  'ab',
  'A',
  '1',
  'abc',
  ' ',
  '2020-02-20',
  '2020-02-20T20:20:20Z',
  '123e4567-e89b-12d3-a456-426614174000',
  'a@example.com',
  'https://example.com/',
  '12:00:00Z',
  '127.0.0.1',
  'x'.repeat(20),
  'é-ß/4',
  'a.example',
  '::1',
  'P1D',
  '/a',
  'YQ==',
];

/** Returns the texts that are examples of a schema with further rules, or that have its format. */
function statedTexts({ choice, rules }: Shape): readonly Json[] {
  if (rules.size === 0) return [];
  const examples = choice.conjuncts.flatMap(({ node }) => [
    ...(node.list('examples') ?? []),
    ...[node.keywords['example'], node.keywords['default']].flatMap((value) => value ?? []),
  ]);
  const expressions = [...rules.values()].flatMap(({ keyword, value }) => {
    const format =
      keyword === 'format' && typeof value === 'string' ? formats.get(value) : undefined;
    return format?.type === 'string' ? [format.expression] : [];
  });
  const formatted =
    expressions.length === 0
      ? []
      : texts.filter((text) => expressions.every((expression) => expression.test(text)));
  return [
    ...examples.filter((value) => typeof value === 'string').slice(0, 3),
    ...formatted.slice(0, 2),
  ];
}

/** The longest text, and the longest list, that is made. */
const maxLength = 3000;

function textsOf(shape: Shape): readonly Json[] {
  const known = [...(shape.known?.values() ?? [])];
  const [least = 0, most] = [limit(shape, 'minLength'), limit(shape, 'maxLength')];
  const lengths = [least, least - 1, ...(most === undefined ? [] : [most, most + 1])];
  const sized = lengths
    .filter((length) => length >= 0 && length <= maxLength)
    .map((length) => 'a'.repeat(length));
  return [...known.slice(0, 5), ...statedTexts(shape), ...sized, ...texts];
}

function arraysOf(shape: Shape, index: SchemaIndex, depth: number): readonly Json[] {
  if (depth === 0) return [[]];
  const prefix = shape.prefix.map(({ parts }) => ofPart(parts, index, depth));
  const items = ofPart(shape.rest, index, depth);
  const [first = 'a'] = items;
  const least = limit(shape, 'minItems') ?? 0;
  const most = limit(shape, 'maxItems');
  const fill = (length: number, from: readonly Json[]): Json =>
    Array.from(
      { length },
      (_, position) => prefix[position]?.[0] ?? from[position % Math.max(1, from.length)] ?? 'a',
    );
  const lengths = [
    least,
    least - 1,
    least + 1,
    1,
    2,
    0,
    ...(most === undefined ? [] : [most, most + 1]),
  ];
  const sized = lengths
    .filter((length) => length >= 0 && length <= maxLength)
    .flatMap((length) => [fill(length, items), fill(length, [first])]);
  const size = Math.max(1, least, prefix.length);
  const each = items.map((item) => fill(size, [item]));
  const eachOfPrefix = prefix.flatMap((values, position) =>
    values.map((value): Json => {
      const list = fill(size, items) as Json[];
      return list.map((old, at) => (at === position ? value : old));
    }),
  );
  return [...sized, ...each, ...eachOfPrefix];
}

function objectsOf(shape: Shape, index: SchemaIndex, depth: number): readonly Json[] {
  if (depth === 0) return [{}];
  const members = Array.from(shape.members, ([name, { parts, required }]) => ({
    name,
    isRequired: required !== undefined,
    values: ofPart(parts, index, depth),
  }));
  const set = (list: typeof members): Record<string, Json> =>
    Object.fromEntries(list.map(({ name, values }) => [name, values[0] ?? 'a']));
  const least = set(members.filter(({ isRequired }) => isRequired));
  const all = set(members);
  const rest = ofPart(shape.rest, index, depth);
  const without = (object: Record<string, Json>, name: string): Json =>
    Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
  const extra = (count: number): Record<string, Json> =>
    Object.fromEntries(
      Array.from({ length: Math.max(0, count) }, (_, position) => [`z${position}`, rest[0] ?? 'a']),
    );
  const most = limit(shape, 'maxProperties') ?? 0;
  const fewest = limit(shape, 'minProperties') ?? 0;
  const size = Object.keys(least).length;
  return [
    ...(depth === maxDepth ? [createLeast(index).object(shape, maxLeastDepth)] : []),
    least,
    all,
    ...members.map(({ name }) => without(all, name)),
    ...members.map(({ name }) => without(least, name)),
    ...members.flatMap(({ name, values }) => values.map((value) => ({ ...least, [name]: value }))),
    ...rest.map((value) => ({ ...least, zz: value })),
    ...members.flatMap(({ name, values }) =>
      values.slice(0, 6).map((value) => ({ ...all, [name]: value })),
    ),
    ...[fewest, fewest - 1, most, most + 1].map((count) => ({ ...least, ...extra(count - size) })),
    { a: 'a', b: 'b' },
  ];
}

function ofPart(parts: readonly Part[], index: SchemaIndex, depth: number): readonly Json[] {
  return samplesOf(parts, index, depth - 1).slice(0, maxOfPart);
}
