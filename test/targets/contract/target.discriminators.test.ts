import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../generator/json/json.ts';
import { typeSchemas } from '../../../generator/targets/contract/types.ts';
import { readOpenapi } from '../client/emit-client.ts';
import { compileStrictly } from '../strict-compile.ts';
import { buildPackage } from './emit-package.ts';

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' } as const;
const cat = {
  type: 'object',
  required: ['kind', 'lives'],
  properties: { kind: text, lives: { type: 'integer' } },
};
const dog = { type: 'object', required: ['kind', 'name'], properties: { kind: text, name: text } };
const propertyName = 'kind';

function document(openapi: string, schemas: JsonObject): JsonObject {
  const content = { 'application/json': { schema: ref('Pet') } };
  const responses = { 200: { description: 'Ok.', content } };
  return {
    openapi,
    info: { title: 'Pets', version: '1.0.0' },
    paths: { '/pets': { get: { operationId: 'findPet', responses } } },
    components: { schemas },
  };
}

const either = { oneOf: [ref('Cat'), ref('Dog')] };
const withKind = (kind: JsonObject): JsonObject => ({
  ...cat,
  properties: { ...cat.properties, kind },
});

const rows: readonly (readonly [name: string, schemas: JsonObject, type: string])[] = [
  [
    'values by reference and by name',
    {
      Cat: cat,
      Dog: dog,
      Pet: {
        ...either,
        discriminator: {
          propertyName,
          mapping: { cat: '#/components/schemas/Cat', dog: 'Dog', hound: 'Dog' },
        },
      },
    },
    '(Cat & { kind: "cat"; }) | (Dog & { kind: "dog" | "hound"; })',
  ],
  [
    'names of schemas without a mapping',
    { Cat: cat, Dog: dog, Pet: { ...either, discriminator: { propertyName } } },
    '(Cat & { kind: "Cat"; }) | (Dog & { kind: "Dog"; })',
  ],
  [
    'the name of a schema that the mapping leaves out',
    {
      Cat: cat,
      Dog: dog,
      Pet: { anyOf: either.oneOf, discriminator: { propertyName, mapping: { cat: 'Cat' } } },
    },
    '(Cat & { kind: "cat"; }) | (Dog & { kind: "Dog"; })',
  ],
  [
    'the declared value, if nothing is mapped',
    {
      Cat: withKind({ type: 'string', enum: ['a cat'] }),
      Dog: dog,
      Pet: { ...either, discriminator: { propertyName } },
    },
    '(Cat & { kind: "a cat"; }) | (Dog & { kind: "Dog"; })',
  ],
  [
    'the mapped one of several declared values, which a part declares',
    {
      Kind: { type: 'string', enum: ['cat', 'dog'] },
      Base: { type: 'object', required: ['kind'], properties: { kind: ref('Kind') } },
      Cat: { allOf: [ref('Base'), { type: 'object', properties: { lives: { type: 'integer' } } }] },
      Dog: { allOf: [ref('Base')] },
      Pet: { ...either, discriminator: { propertyName, mapping: { cat: 'Cat', dog: 'Dog' } } },
    },
    '(Cat & { kind: "cat"; }) | (Dog & { kind: "dog"; })',
  ],
  [
    'a property that may be absent stays optional',
    {
      Cat: { ...cat, required: [] },
      Dog: dog,
      Pet: { ...either, discriminator: { propertyName } },
    },
    '(Cat & { kind?: "Cat"; }) | (Dog & { kind: "Dog"; })',
  ],
  [
    'no value for a property that is no string, and for a value that the schema excludes',
    {
      Cat: withKind({ type: 'integer' }),
      Dog: { ...dog, properties: { kind: { type: 'string', enum: ['x'] }, name: text } },
      Pet: { ...either, discriminator: { propertyName, mapping: { 1: 'Cat', dog: 'Dog' } } },
    },
    'Cat | Dog',
  ],
];

const use = `
import type { Pet } from '@trade/contract';

export const nameOf = (pet: Pet): string => (pet.kind === 'cat' ? String(pet.lives) : pet.name);
// @ts-expect-error -- a cat has no name
export const nameOfCat = (pet: Pet): string => (pet.kind === 'cat' ? pet.name : '');
// @ts-expect-error -- no such kind
export const isBird = (pet: Pet): boolean => pet.kind === 'bird';
`;

type Validate = (value: unknown) => readonly {
  readonly pointer: string;
  readonly keyword: string;
}[];

/** The violations of values of the type `Pet`. */
const violations: readonly (readonly [value: unknown, expected: readonly string[]])[] = [
  [{ kind: 'cat', lives: 7 }, []],
  [{ kind: 'hound', name: 'Rex' }, []],
  [{ kind: 'cat' }, [' required']],
  [{ kind: 'cat', name: 'Rex' }, [' required']],
  [{ kind: 'dog', name: 1 }, ['/name type']],
  [{ kind: 'bird', name: 'Rex' }, ['/kind enum']],
  [{ kind: 1 }, ['/kind enum']],
  [{ lives: 7 }, [' required']],
  ['cat', [' type']],
  [['cat'], [' type']],
];

describe.each(['3.0.3', '3.1.1'])('discriminators of OpenAPI %s', (openapi) => {
  test.each(rows)('type: %s', async (_, schemas, type) => {
    const types = typeSchemas(await readOpenapi(document(openapi, schemas)));
    expect(types.get('Pet')?.text.replaceAll(/\s+/g, ' ')).toBe(type);
  });

  test('types narrow, and violations are those of the selected alternative', async () => {
    const mapping = { cat: '#/components/schemas/Cat', dog: 'Dog', hound: 'Dog' };
    const pet = { ...either, discriminator: { propertyName, mapping } };
    const nullable =
      openapi === '3.0.3'
        ? { ...pet, nullable: true }
        : { ...pet, oneOf: [...pet.oneOf, { type: 'null' }] };
    const contract = await readOpenapi(
      document(openapi, {
        Cat: cat,
        Dog: dog,
        Pet: pet,
        Nullable: nullable,
        Closed: { ...pet, unevaluatedProperties: false },
        ...manyKinds(80),
      }),
    );
    await using written = await buildPackage(contract);
    await writeFile(join(written.project, 'use.ts'), use);
    const options = { compiler: 'ts7', resolution: 'nodenext', from: 'built' } as const;
    await compileStrictly(written.project, ['use.ts'], options);
    const url = pathToFileURL(join(written.folder, 'dist/index.js')).href;
    const validators = (await import(/* @vite-ignore */ url)) as Readonly<Record<string, Validate>>;
    const found = (name: string, value: unknown): readonly string[] =>
      validators[name]?.(value).map(({ pointer, keyword }) => `${pointer} ${keyword}`) ?? ['none'];
    expect(violations.map(([value]) => [value, found('validatePet', value)])).toEqual(violations);
    expect(found('validateNullable', null)).toEqual([]);
    expect(found('validateNullable', { kind: 'cat', lives: 7 })).toEqual([]);
    expect(found('validateNullable', { kind: 'cat', lives: '7' })).toContain('/lives type');
    expect(found('validateNullable', { kind: 'cat', lives: '7' })).not.toContain(' required');
    expect(found('validateMany', { kind: 'Kind79', own79: 1 })).toEqual([]);
    expect(found('validateMany', { kind: 'Kind79', own78: 1 })).toEqual([' required']);
    expect(found('validateClosed', { kind: 'cat', lives: 7 })).toEqual([]);
    expect(found('validateClosed', { kind: 'cat', lives: 7, name: 'Tom' })).toEqual([
      ' unevaluatedProperties',
    ]);
  });
});

/** Returns a union of many alternatives, which Ajv's own code would nest. */
function manyKinds(count: number): JsonObject {
  const names = Array.from({ length: count }, (_, index) => `Kind${index}`);
  const schemas = names.map((name, index) => {
    const own = `own${index}`;
    const properties = { kind: text, [own]: { type: 'integer' } };
    return [name, { type: 'object', required: ['kind', own], properties }] as const;
  });
  return {
    ...Object.fromEntries(schemas),
    Many: { oneOf: names.map(ref), discriminator: { propertyName } },
  };
}
