import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../generator/json/json.ts';
import { typeSchemas } from '../../../generator/targets/printing/types/types.ts';
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
    'no value for an array, which has no property',
    {
      Cat: cat,
      Dog: dog,
      Cats: { type: 'array', items: ref('Cat') },
      Pet: {
        oneOf: [ref('Cats'), ref('Cat'), ref('Dog')],
        discriminator: { propertyName, mapping: { array: 'Cats', cat: 'Cat' } },
      },
    },
    'Cats | (Cat & { kind: "cat"; }) | (Dog & { kind: "Dog"; })',
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
    'no value for a property that is not a string, and for a value that the schema excludes',
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

/** OpenAPI's own example: schemas that inherit from a parent with a discriminator. */
const child = (parent: string, properties: JsonObject): JsonObject => ({
  allOf: [ref(parent), { type: 'object', properties }],
});
const family = (mapping: JsonObject): JsonObject => ({
  Base: {
    type: 'object',
    required: ['petType'],
    properties: { petType: text },
    discriminator: { propertyName: 'petType', ...mapping },
  },
  Kitty: child('Base', { meow: { type: 'boolean' } }),
  Doggy: child('Base', { bark: { type: 'boolean' } }),
  Tabby: child('Kitty', { stripes: { type: 'integer' } }),
  Pet: { oneOf: [ref('Kitty'), ref('Doggy')] },
  Any: { anyOf: [ref('Kitty'), ref('Tabby'), ref('Doggy')] },
  Named: {
    oneOf: [ref('Kitty'), ref('Doggy')],
    discriminator: { propertyName: 'petType', mapping: { cat: 'Kitty' } },
  },
});
const names = {
  mapping: { kitty: '#/components/schemas/Kitty', doggy: 'Doggy', tabby: 'Tabby' },
};

const families: readonly (readonly [string, JsonObject, JsonObject])[] = [
  [
    'mapping',
    family(names),
    {
      Base: '{ petType: string; }',
      Kitty: 'Base & { meow?: boolean; } & { petType?: "cat" | "kitty" | "tabby"; }',
      Tabby: 'Kitty & { stripes?: number; } & { petType?: "tabby"; }',
      Pet: '(Kitty & { petType: "cat" | "kitty" | "tabby"; }) | (Doggy & { petType: "doggy"; })',
      Any:
        '(Kitty & { petType: "cat" | "kitty"; }) | (Tabby & { petType: "tabby"; }) | ' +
        '(Doggy & { petType: "doggy"; })',
      Named: '(Kitty & { petType: "cat"; }) | (Doggy & { petType: "doggy"; })',
    },
  ],
  [
    'names of schemas',
    family({}),
    {
      Doggy: 'Base & { bark?: boolean; } & { petType?: "Doggy"; }',
      Tabby: 'Kitty & { stripes?: number; } & { petType?: "Tabby"; }',
      Named: '(Kitty & { petType: "cat"; }) | (Doggy & { petType: "Doggy"; })',
    },
  ],
  [
    'values that a child declares itself, and a property that is not a string',
    {
      ...family({}),
      Kitty: child('Base', { petType: { type: 'string', enum: ['k'] } }),
      Number: {
        type: 'object',
        properties: { code: { type: 'integer' } },
        discriminator: { propertyName: 'code' },
      },
      One: child('Number', {}),
    },
    { Kitty: 'Base & { petType?: "k"; }', One: 'NumberSchema & { [k: string]: unknown; }' },
  ],
];

const familyUse = `
import type { Any, Base, Doggy, Kitty, Pet, Tabby } from '@trade/contract';

export const meows = (pet: Pet): boolean | undefined =>
  pet.petType === 'doggy' ? pet.bark : pet.meow;
// @ts-expect-error -- a doggy does not meow
export const wrong = (pet: Pet): boolean | undefined => pet.petType === 'doggy' && pet.meow;
// @ts-expect-error -- a kitty is not a doggy
export const kitty: Kitty = { petType: 'doggy' };
export const tabby: Tabby = { petType: 'tabby', meow: true, stripes: 3 };
export const asKitty: Kitty = tabby;
export const asBase: readonly Base[] = [tabby, asKitty, { petType: 'any' }];
export const stripes = (any: Any): number | undefined =>
  any.petType === 'tabby' ? any.stripes : undefined;
export const doggy: Doggy = { petType: 'doggy' };
`;

/** The violations of values of a type. */
const familyViolations: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['Pet', { petType: 'kitty', meow: true }, []],
  ['Pet', { petType: 'tabby', meow: true }, []],
  ['Pet', { petType: 'doggy', meow: 1 }, []],
  ['Pet', { petType: 'kitty', meow: 1, bark: 1 }, ['/meow type']],
  ['Pet', { petType: 'bird' }, ['/petType enum']],
  ['Pet', {}, [' required']],
  ['Any', { petType: 'tabby', stripes: 'x' }, ['/stripes type']],
  ['Any', { petType: 'kitty', stripes: 'x' }, []],
  ['Named', { petType: 'cat', meow: true }, []],
  ['Kitty', { petType: 'tabby' }, []],
  ['Kitty', { petType: 'doggy' }, ['/petType enum']],
  ['Doggy', { petType: 'kitty' }, ['/petType const']],
  ['Base', { petType: 'anything' }, []],
];

const withDefault = {
  Cat: {
    type: 'object',
    required: ['lives'],
    properties: { kind: text, lives: { type: 'integer' } },
  },
  Other: { type: 'object', properties: { kind: text, bark: { type: 'boolean' } } },
  Pet: {
    oneOf: [ref('Cat'), ref('Other')],
    discriminator: { propertyName, mapping: { cat: 'Cat' }, defaultMapping: 'Other' },
  },
  Base: {
    type: 'object',
    properties: { kind: text },
    discriminator: { propertyName, defaultMapping: '#/components/schemas/Rest' },
  },
  First: child('Base', { one: text }),
  Rest: child('Base', { two: text }),
  Either: { anyOf: [ref('First'), ref('Rest')] },
};

const defaultUse = `
import type { Either, Pet } from '@trade/contract';

export const pets: readonly Pet[] = [
  { kind: 'cat', lives: 7 }, { kind: 'puppy', bark: true }, { bark: true }, { kind: 'Other' },
];
export const livesOf = (pet: Pet): number => ('lives' in pet ? pet.lives : 0);
// @ts-expect-error -- no such member
export const other: Pet = { kind: 'puppy', wings: 2 };
export const either: readonly Either[] = [{ kind: 'First', one: '' }, { two: '' }, { kind: 'x', two: '' }];
`;

const defaultViolations: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['Pet', { kind: 'puppy', bark: true }, []],
  ['Pet', { bark: true }, []],
  ['Pet', { kind: 'cat', lives: 7 }, []],
  ['Pet', { kind: 'cat', bark: true }, [' required']],
  ['Pet', { kind: 'puppy', bark: 1 }, ['/bark type']],
  ['Pet', { bark: 1, lives: 7 }, ['/bark type']],
  ['Pet', 'cat', [' type']],
  ['Either', { kind: 'First', one: 1 }, ['/one type']],
  ['Either', { kind: 'x', one: 1 }, []],
  ['Either', { two: 1 }, ['/two type']],
];

/** Compiles a use of the types, and returns the violations that the validators report. */
async function check(
  openapi: string,
  schemas: JsonObject,
  code: string,
  values: readonly (readonly [string, unknown, readonly string[]])[],
): Promise<readonly (readonly [string, unknown, readonly string[]])[]> {
  await using contractPackage = await buildPackage(await readOpenapi(document(openapi, schemas)));
  await writeFile(join(contractPackage.project, 'use.ts'), code);
  const options = { compiler: 'ts7', resolution: 'nodenext', from: 'built' } as const;
  await compileStrictly(contractPackage.project, ['use.ts'], options);
  const url = pathToFileURL(join(contractPackage.folder, 'dist/index.js')).href;
  const validators = (await import(/* @vite-ignore */ url)) as Readonly<Record<string, Validate>>;
  return values.map(([name, value]) => {
    const violations = validators[`validate${name}`]?.(value) ?? [{ pointer: 'none', keyword: '' }];
    return [name, value, violations.map(({ pointer, keyword }) => `${pointer} ${keyword}`)];
  });
}

test('OpenAPI 3.2: values without an alternative of their own are those of defaultMapping', async () => {
  const violationRows = await check('3.2.0', withDefault, defaultUse, defaultViolations);
  expect(violationRows).toEqual(defaultViolations);
});

describe.each(['3.0.3', '3.1.1', '3.2.0'])(
  'discriminators of a parent in OpenAPI %s',
  (openapi) => {
    test.each(families)('types: %s', async (_, schemas, types) => {
      const printedTypes = typeSchemas(await readOpenapi(document(openapi, schemas)));
      const texts = Object.keys(types).map((name) => [
        name,
        printedTypes.get(name)?.text.replaceAll(/\s+/g, ' '),
      ]);
      expect(Object.fromEntries(texts)).toEqual(types);
    });

    test('types narrow, and the value selects an alternative', async () => {
      const violationRows = await check(openapi, family(names), familyUse, familyViolations);
      expect(violationRows).toEqual(familyViolations);
    });
  },
);

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
    await using contractPackage = await buildPackage(contract);
    await writeFile(join(contractPackage.project, 'use.ts'), use);
    const options = { compiler: 'ts7', resolution: 'nodenext', from: 'built' } as const;
    await compileStrictly(contractPackage.project, ['use.ts'], options);
    const url = pathToFileURL(join(contractPackage.folder, 'dist/index.js')).href;
    const validators = (await import(/* @vite-ignore */ url)) as Readonly<Record<string, Validate>>;
    const violationsOf = (name: string, value: unknown): readonly string[] =>
      validators[name]?.(value).map(({ pointer, keyword }) => `${pointer} ${keyword}`) ?? ['none'];
    expect(violations.map(([value]) => [value, violationsOf('validatePet', value)])).toEqual(
      violations,
    );
    expect(violationsOf('validateNullable', null)).toEqual([]);
    expect(violationsOf('validateNullable', { kind: 'cat', lives: 7 })).toEqual([]);
    expect(violationsOf('validateNullable', { kind: 'cat', lives: '7' })).toContain('/lives type');
    expect(violationsOf('validateNullable', { kind: 'cat', lives: '7' })).not.toContain(
      ' required',
    );
    expect(violationsOf('validateMany', { kind: 'Kind79', own79: 1 })).toEqual([]);
    expect(violationsOf('validateMany', { kind: 'Kind79', own78: 1 })).toEqual([' required']);
    expect(violationsOf('validateClosed', { kind: 'cat', lives: 7 })).toEqual([]);
    expect(violationsOf('validateClosed', { kind: 'cat', lives: 7, name: 'Tom' })).toEqual([
      ' unevaluatedProperties',
    ]);
  });
});

/** Returns a union of many alternatives, which Ajv's own code would nest. */
function manyKinds(count: number): JsonObject {
  const names = Array.from({ length: count }, (_, index) => `Kind${index}`);
  const schemas = names.map((name, index) => {
    const member = `own${index}`;
    const properties = { kind: text, [member]: { type: 'integer' } };
    return [name, { type: 'object', required: ['kind', member], properties }] as const;
  });
  return {
    ...Object.fromEntries(schemas),
    Many: { oneOf: names.map(ref), discriminator: { propertyName } },
  };
}
