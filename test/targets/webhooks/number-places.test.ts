import { expect, test } from 'vitest';
import {
  numberPlacesOf,
  type NumberPlaces,
} from '../../../generator/targets/webhooks/number-places.ts';
import { admitsDecimal } from '../../../generator/patterns/decimal-pattern.ts';
import type { JsonSchema, Schema } from '../../../generator/schema/model.ts';

function schemasOf(definitions: Readonly<Record<string, JsonSchema>>): readonly Schema[] {
  return Object.entries(definitions).map(([name, definition]) => ({ name, definition }) as Schema);
}

/** Returns the places with numbers, as paths; `*` for elements and undeclared members. */
function pathsOf(definitions: Readonly<Record<string, JsonSchema>>): readonly string[] {
  const schemas = schemasOf(definitions);
  const { places, roots } = numberPlacesOf(
    schemas.slice(0, 1),
    new Map(schemas.map((schema) => [schema.name, schema])),
    admitsDecimal,
  );
  const paths: string[] = [];
  const collect = (at: number | undefined, path: string, above: readonly number[]): void => {
    const place = at === undefined ? undefined : places[at];
    if (place === undefined || at === undefined) return;
    if (above.includes(at)) {
      paths.push(`${path} again`);
      return;
    }
    if (place.number === true) paths.push(path);
    for (const [name, below] of place.members ?? [])
      collect(below, `${path}/${name}`, [...above, at]);
    collect(place.items, `${path}/*`, [...above, at]);
    collect(place.undeclared, `${path}/*`, [...above, at]);
  };
  collect(rootOf({ places, roots }), '', []);
  return paths;
}

function rootOf({ roots }: NumberPlaces): number | undefined {
  return roots.get('A');
}

const text: JsonSchema = { type: 'string' };
const number: JsonSchema = { type: 'number' };
const object = (properties: Record<string, JsonSchema>, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});

test.each<[title: string, schema: JsonSchema, paths: readonly string[]]>([
  [
    'members',
    object({ a: text, b: number, c: object({ d: { type: 'integer' } }) }),
    ['/b', '/c/d'],
  ],
  ['no numbers', object({ a: text, b: { type: ['boolean', 'null'] } }), []],
  [
    'no type',
    object({ a: {}, b: true, c: false, d: { enum: ['x'] }, e: { enum: [1] } }),
    ['/a', '/b', '/e'],
  ],
  ['a constant', object({ a: { const: 'x' }, b: { const: 0 } }), ['/b']],
  ['several types', object({ a: { type: ['string', 'integer'] } }), ['/a']],
  [
    'elements',
    object({ a: { type: 'array', items: number }, b: { type: 'array', items: text } }),
    ['/a/*'],
  ],
  ['elements by position', { type: 'array', prefixItems: [text, number], items: false }, ['/*']],
  ['undeclared members', object({ a: text }, { additionalProperties: number }), ['/*']],
  [
    'members by pattern',
    object({ a: text }, { patternProperties: { '^x': number } }),
    ['/a', '/*'],
  ],
  ['alternatives', { oneOf: [object({ a: text }), object({ b: number })] }, ['/b']],
  [
    'typed alternatives',
    { type: 'object', anyOf: [object({ b: number }), { type: 'null' }] },
    ['/b'],
  ],
  ['parts', { type: 'object', allOf: [object({ b: number }), object({ c: text })] }, ['/b']],
  [
    'cases',
    object({ a: text }, { if: object({ a: number }), then: object({ b: number }) }),
    ['/b'],
  ],
  ['a reference', object({ a: { $ref: '#/$defs/B' }, b: { $ref: '#/$defs/C' } }), ['/a/x']],
  [
    'texts by a format of numbers',
    object({
      a: { type: 'string', format: 'decimal' },
      b: { type: ['string', 'null'], format: 'Double' },
      c: { type: 'string', format: 'uuid' },
      d: { type: 'boolean', format: 'decimal' },
    }),
    ['/a', '/b'],
  ],
  [
    'texts by a pattern for decimal numbers',
    object({
      a: { type: 'string', pattern: String.raw`^\d{1,10}\.\d{2}$` },
      b: { type: 'string', pattern: String.raw`^\d{11}$` },
      c: { type: 'string', pattern: String.raw`^[\w.]+$` },
      d: { allOf: [{ type: 'string' }, { pattern: '^[0-9,]+$' }] },
      e: { type: 'array', items: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/D' }] } },
    }),
    ['/a', '/d', '/e/*'],
  ],
  [
    'texts by their values',
    object({ a: { enum: ['0.99', 'free'] }, b: { const: '12,50' }, c: { enum: ['1', 'v1.0'] } }),
    ['/a', '/b'],
  ],
  ['recursion', object({ a: { $ref: '#/$defs/A' }, b: number }), ['/a/a again', '/a/b', '/b']],
])('finds numbers: %s', (_, schema, paths) => {
  const numberPaths = pathsOf({
    A: schema,
    B: object({ x: number }),
    C: object({ x: text }),
    D: { type: 'string', pattern: String.raw`^\d+\.\d{2}$` },
  });
  expect(numberPaths.toSorted()).toEqual(paths.toSorted());
});

test('lists the declared members of closed objects that lead to numbers', () => {
  const closed = { additionalProperties: false };
  const { places } = numberPlacesOf(
    schemasOf({
      A: object({ a: number, b: text }, closed),
      B: object({ a: number }, { ...closed, patternProperties: { x: text } }),
      C: {
        type: 'object',
        allOf: [object({ a: number, b: text }, closed), object({ b: text, c: text }, closed)],
      },
    }),
    new Map(),
    admitsDecimal,
  );
  expect(places.map(({ declared }) => declared)).toEqual([['a', 'b'], undefined, ['b'], undefined]);
});

test.each<[string, number, (next: JsonSchema) => JsonSchema, readonly string[]]>([
  ['doubles at each step', 60, (next) => ({ allOf: [next, next] }), ['/b']],
  // A place too many rather than one too few.
  ['is thousands of references deep', 3000, (next) => ({ allOf: [next] }), ['/a', '/b']],
])('judges each schema once where a contract %s', (_, depth, wrap, paths) => {
  const chain = Array.from({ length: depth }, (_element, at): [string, JsonSchema] => [
    `S${at}`,
    at === depth - 1 ? text : wrap({ $ref: `#/$defs/S${at + 1}` }),
  ]);
  const root = object({ a: { $ref: '#/$defs/S0' }, b: number });
  expect(pathsOf({ A: root, ...Object.fromEntries(chain) })).toEqual(paths);
});
