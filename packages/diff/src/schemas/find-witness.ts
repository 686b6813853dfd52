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
];

/** The longest text, and the longest list, that is made. */
const maxLength = 3000;

function textsOf(shape: Shape): readonly Json[] {
  const known = [...(shape.known?.values() ?? [])];
  const [least = 0, most] = [limit(shape, 'minLength'), limit(shape, 'maxLength')];
  const lengths = [least, least - 1, ...(most === undefined ? [] : [most, most + 1])];
  const sized = lengths
    .filter((length) => length >= 0 && length <= maxLength)
    .map((length) => 'a'.repeat(length));
  return [...known.slice(0, 5), ...sized, ...texts];
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
