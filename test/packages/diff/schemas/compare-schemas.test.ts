import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../generator/json/json.ts';
import { indexSchemas } from '../../../../generator/schema/references.ts';
import { compareSchemas, type Side } from './compare.ts';
import { buildContract } from '../../../targets/contract/contract-builder.ts';

/** Returns one side of a comparison: schemas `<name>0`, `<name>1`, …, of which each refers to the next. */
function sideOf(
  name: string,
  count: number,
  write: (next: (step: number) => JsonObject) => JsonObject,
  last: JsonObject,
): Side {
  const definitions = Array.from({ length: count }, (_, level): [string, JsonObject] => [
    `${name}${level}`,
    write((step) => ({ $ref: `#/$defs/${name}${level + step}` })),
  ]);
  const { schemas } = buildContract([
    ...definitions,
    [`${name}${count}`, last],
    [`${name}${count + 1}`, last],
  ]);
  const index = indexSchemas({ schemas });
  const first = index.get(`${name}0`);
  if (first === undefined) throw new Error('There is no schema.');
  return { ...first, schemas: index };
}

const twice = (next: (step: number) => JsonObject): JsonObject => ({
  properties: { a: next(1), b: next(1) },
});

test('renamed schemas that refer to the next one twice are not compared 2^n times', () => {
  const base = sideOf('Old', 14, twice, { type: 'string' });
  const head = sideOf('New', 14, twice, { type: 'integer' });
  const differences = [...compareSchemas(base, head)];
  expect(differences.length).toBeGreaterThan(0);
  expect(differences.length).toBeLessThan(1100);
  expect(new Set(differences.map(({ code }) => code))).toEqual(new Set(['type-changed']));
});

test('a difference in a schema that several others refer to is told once, where it is', () => {
  const differences = compareSchemas(
    sideOf('Old', 3, twice, { type: 'string' }),
    sideOf('New', 3, twice, { type: 'integer' }),
  );
  expect(differences.map(({ code, place, uses }) => [code, place.owner, place.path, uses])).toEqual(
    [['type-changed', 'schema New3', '', ['user']]],
  );
});

test('a chain of renamed schemas is compared to its end, without the stack', () => {
  const once = (next: (step: number) => JsonObject): JsonObject => ({ properties: { a: next(1) } });
  const differences = compareSchemas(
    sideOf('Old', 3000, once, { type: 'string' }),
    sideOf('New', 3000, once, { type: 'integer' }),
  );
  expect(differences.map(({ place }) => place.owner)).toEqual(['schema New3000']);
});

test('cycles of different lengths are not compared in all pairs of their schemas', () => {
  const cycle = (name: string, count: number): Side => {
    const next = (level: number): JsonObject => ({ $ref: `#/$defs/${name}${level % count}` });
    const { schemas } = buildContract(
      Array.from({ length: count }, (_, level): [string, JsonObject] => [
        `${name}${level}`,
        { properties: { a: next(level + 1), b: next(level + 2) } },
      ]),
    );
    const index = indexSchemas({ schemas });
    const first = index.get(`${name}0`);
    if (first === undefined) throw new Error('There is no schema.');
    return { ...first, schemas: index };
  };
  const [small] = [...compareSchemas(cycle('Old', 7), cycle('New', 8))];
  expect(small).toBeUndefined();
  const differences = [...compareSchemas(cycle('Old', 70), cycle('New', 71))];
  expect(differences.length).toBeGreaterThan(0);
  expect(differences.length).toBeLessThan(2000);
  expect(new Set(differences.map(({ code }) => code))).toEqual(new Set(['rule-changed']));
  expect(differences[0]?.message).toMatch(/^It is `New\d+` instead of `Old\d+`, and too many/u);
});

test('a value deep in alternatives is decided by a value of the whole', () => {
  const end = {
    oneOf: [
      { type: 'object', properties: { id: { type: 'string' }, x: { type: 'number' } } },
      { type: 'object', properties: { id: { type: 'string' }, side: { enum: ['left'] } } },
    ],
  };
  const wrap = (schema: JsonObject, depth: number): JsonObject =>
    depth === 0
      ? schema
      : { type: 'object', required: ['in'], properties: { in: wrap(schema, depth - 1) } };
  const withLines = (...lines: readonly string[]): JsonObject => {
    const properties = { end, url: { type: 'string', format: 'uri' }, line: { enum: lines } };
    const line = { type: 'object', required: ['end', 'url'], properties };
    return { anyOf: [wrap(line, 7), { type: 'object', required: ['other'] }] };
  };
  const differences = compareSchemas(
    { definition: withLines('straight') },
    { definition: withLines('straight', 'curved') },
  );
  expect(differences.map(({ code, isDecided }) => [code, isDecided])).toEqual([
    ['enum-value-added', true],
  ]);
});
