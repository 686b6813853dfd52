import { expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import { emitPackage } from './emit-package.ts';

const to = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** Members that are enough for a function of their own, where two schemas have them. */
const members = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`member${index}`, { type: 'string', minLength: 1 }]),
);

const used = {
  Book: { type: 'object', properties: { author: to('Author'), copy: { properties: members } } },
  Author: { type: 'object', properties: { name: { type: 'string' } } },
  Filter: { type: 'object', properties: { text: { type: 'string' } } },
};

/** Refer to used schemas, equal a part of one, and use a keyword that changes how all functions are written. */
const unused = {
  Copy: { properties: members },
  Draft: { $ref: '#/components/schemas/Book', unevaluatedProperties: false },
  Mood: { type: 'string', enum: ['good', 'bad'] },
};

async function lowerSchemas(schemas: object): Promise<Contract> {
  const json = { 'application/json': { schema: to('Book') } };
  const filter = {
    name: 'filter',
    in: 'query',
    content: { 'application/json': { schema: to('Filter') } },
  };
  const document = {
    openapi: '3.1.2',
    info: { title: 'Library', version: '1.0.0' },
    paths: {
      '/books': {
        get: { parameters: [filter], responses: { 200: { description: 'All.', content: json } } },
      },
    },
    components: { schemas },
  };
  const { contract } = await lowerFiles({ 'openapi.yaml': JSON.stringify(document) });
  return contract;
}

const emit = (contract: Contract, options: object = {}): Promise<ReadonlyMap<string, string>> =>
  emitPackage(contract, { options });

test('a schema that no call and no notification has is a type without a guard', async () => {
  const files = await emit(await lowerSchemas({ ...unused, ...used }));
  const types = files.get('src/index.ts') ?? '';
  const guards = [...types.matchAll(/^export const ((?:is|validate|assert)\w+)/gmu)].map(
    ([, name]) => name,
  );
  expect(guards).toEqual(
    ['Author', 'Book', 'Filter'].flatMap((name) => [
      `is${name}`,
      `validate${name}`,
      `assert${name}`,
    ]),
  );
  expect(types).toMatch(/^export (?:interface|type) Copy\b/mu);
  expect(types).toMatch(/^export type Draft\b/mu);
  expect(types).toMatch(/^export const Mood\b/mu);
  const readme = files.get('README.md') ?? '';
  const [validated = '', typed = ''] = readme.split('These have no validators');
  expect(validated).toContain('| `Book`');
  expect(validated).not.toContain('| `Draft`');
  expect(typed).toContain('`validateUnused`');
  expect(typed).toContain('| `Draft`');
});

test('no unused schema changes a validator of a used one', async () => {
  const [alone, beside] = await Promise.all([
    emit(await lowerSchemas(used)),
    emit(await lowerSchemas({ ...unused, ...used })),
  ]);
  const path = 'runtime/validators.js';
  expect(alone.get(path)).toContain('function validateBook(');
  expect(beside.get(path)).toBe(alone.get(path));
});

test('unused schemas get validators on request', async () => {
  const files = await emit(await lowerSchemas({ ...unused, ...used }), { validateUnused: true });
  const types = files.get('src/index.ts') ?? '';
  for (const name of ['Copy', 'Draft', 'Mood', 'Book'])
    expect(types).toContain(`export const is${name}: Is<${name}> =`);
  expect(files.get('README.md')).not.toContain('have no validators');
});

test('without any validator, the package imports none', async () => {
  const document = {
    openapi: '3.1.2',
    info: { title: 'Library', version: '1.0.0' },
    components: { schemas: { Mood: unused.Mood } },
  };
  const { contract } = await lowerFiles({ 'openapi.yaml': JSON.stringify(document) });
  const types = (await emit(contract)).get('src/index.ts') ?? '';
  expect(types).toContain('export const Mood');
  expect(types).not.toContain('runtime/validators');
});
