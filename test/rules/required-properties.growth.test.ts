import { expectLinear } from '../counted-work.ts';
import { expect, test } from 'vitest';
import { requiredProperties } from '../../generator/rules/required-properties.ts';
import { loadFiles } from './rule-case.ts';

/** Nests schemas in `allOf`, each of which requires what the one around it declares. */
function nested(levels: number): string {
  let schema: object = { properties: { a: {} } };
  for (let level = 0; level < levels; level += 1)
    schema = {
      allOf: [schema],
      required: [`p${level + 1}`],
      properties: { [`p${level}`]: {} },
    };
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {},
    components: { schemas: { A: schema } },
  });
}

/** Objects with two members of the next one, of which the last lacks a name that it requires. */
function diamonds(levels: number): string {
  const schemas = Array.from({ length: levels }, (_, level) => {
    const next = { $ref: `#/components/schemas/L${level + 1}` };
    return [`L${level}`, { type: 'object', properties: { a: next, b: next } }];
  });
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {},
    components: {
      schemas: {
        ...Object.fromEntries(schemas),
        [`L${levels}`]: { properties: { end: {} }, required: ['edn'] },
      },
    },
  });
}

/** Objects in a circle, each of which lacks a name that it requires. */
function circle(count: number): string {
  const schemas = Array.from({ length: count }, (_, index) => {
    const next = (step: number): object => ({
      $ref: `#/components/schemas/L${(index + step) % count}`,
    });
    return [`L${index}`, { properties: { a: next(1), b: next(2) }, required: ['c'] }];
  });
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  });
}

/** Schemas in a row, each of which applies to the same value as the next, or has a member with it. */
function chain(length: number, link: (next: object) => object): string {
  const schemas = Array.from({ length }, (_, index) => [
    `L${index}`,
    link({ $ref: `#/components/schemas/L${index + 1}` }),
  ]);
  const last = { properties: { end: {} }, required: ['edn'] };
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {},
    components: { schemas: { ...Object.fromEntries(schemas), [`L${length}`]: last } },
  });
}

test.each<[what: string, link: (next: object) => object]>([
  ['that apply to one value', (next) => ({ allOf: [next] })],
  ['of members', (next) => ({ properties: { a: next } })],
])('a chain of schemas %s can be longer than the stack', async (_, link) => {
  const documents = await loadFiles({ 'openapi.yaml': chain(5000, link) });
  expect(Array.from(await requiredProperties.check({ documents }))).toHaveLength(1);
});

test('a required name is searched in each of the schemas around it once', async () => {
  const documents = await loadFiles({ 'openapi.yaml': diamonds(24) });
  expect(Array.from(await requiredProperties.check({ documents }))).toHaveLength(1);
});

test.each<[what: string, write: (count: number) => string, size: number]>([
  ['schemas that lead to it twice', diamonds, 20],
  ['schemas in a circle', circle, 200],
])('twice the %s cost at most 2.5 times the work', async (_, write, size) => {
  const documents = new Map(
    await Promise.all(
      [4, size, 2 * size].map(
        async (count) => [count, await loadFiles({ 'openapi.yaml': write(count) })] as const,
      ),
    ),
  );
  await expectLinear(
    async (count) => {
      const loaded = documents.get(count);
      if (loaded !== undefined) Array.from(await requiredProperties.check({ documents: loaded }));
    },
    size,
    /\/generator\/[\w/-]+\.ts$/u,
  );
});

test('twice the levels of schemas with required names cost at most 2.5 times the work', async () => {
  const sizes = [4, 40, 80];
  const documents = new Map(
    await Promise.all(
      sizes.map(async (size) => [size, await loadFiles({ 'openapi.yaml': nested(size) })] as const),
    ),
  );
  await expectLinear(
    async (size) => {
      const loaded = documents.get(size);
      if (loaded !== undefined) Array.from(await requiredProperties.check({ documents: loaded }));
    },
    40,
    /\/generator\/[\w/-]+\.ts$/u,
  );
});
