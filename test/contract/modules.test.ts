import { expect, test } from 'vitest';
import { referencesOf } from '../../generator/schema/references.ts';
import type { Contract } from '../../generator/contract/contract.ts';
import { lowerFiles } from './lower/lower-files.ts';

const to = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const body = (name: string): object => ({
  required: true,
  content: { 'application/json': { schema: to(name) } },
});
const call = (tags: readonly string[], name: string): object => ({
  post: { tags, requestBody: body(name), responses: { 204: { description: 'Done.' } } },
});

/** A contract with calls of tags, and with so many other schemas that each tag has a module. */
async function lowerTagged(more: number, other: object = { type: 'object' }): Promise<Contract> {
  const others = Array.from({ length: more }, (_, index) => [`Other${index}`, other]);
  const document = {
    openapi: '3.1.2',
    info: { title: 'Library', version: '1.0.0' },
    paths: {
      '/books': call(['Books'], 'Book'),
      '/shelves': call(['books '], 'Shelf'),
      '/loans': call(['Loans'], 'Loan'),
      '/notes': call([], 'Note'),
      '/sharing': call(['Shared'], 'Sharing'),
    },
    components: {
      schemas: {
        Book: { type: 'object', properties: { id: to('Id'), author: to('Author') } },
        Author: { type: 'object', properties: { books: { type: 'array', items: to('Book') } } },
        Shelf: { type: 'object', properties: { row: { type: 'integer' } } },
        Loan: { type: 'object', properties: { id: to('Id') } },
        Id: { type: 'string', maxLength: 9 },
        Note: { type: 'object' },
        Sharing: { type: 'object' },
        ...Object.fromEntries(others),
      },
    },
  };
  const { contract } = await lowerFiles({ 'openapi.yaml': JSON.stringify(document) });
  return contract;
}

const moduleOf = ({ schemas }: Contract, name: string): string | undefined =>
  schemas.find((schema) => schema.name === name)?.module;

test('a schema is in the module of the one tag that has it, or in one for what several have', async () => {
  const contract = await lowerTagged(200);
  const modules = ['Book', 'Author', 'Shelf', 'Loan', 'Id', 'Note', 'Sharing', 'Other1'].map(
    (name) => moduleOf(contract, name),
  );
  expect(modules).toEqual([
    'books',
    'books',
    'books',
    'loans',
    'shared',
    'untagged',
    'shared',
    'unused',
  ]);
});

test('a schema refers to its own module and to what several tags share', async () => {
  const contract = await lowerTagged(200);
  const crossing = contract.schemas.flatMap(({ module, definition }) =>
    referencesOf(definition).map((name) => [module, moduleOf(contract, name)]),
  );
  expect(crossing).toContainEqual(['loans', 'shared']);
  expect(crossing.filter(([from, into]) => from !== into && into !== 'shared')).toEqual([]);
});

test('what an unused schema refers to stays in the module of its tag, and both sizes mark the same ones', async () => {
  const unusedOf = ({ schemas }: Contract): readonly string[] =>
    schemas.flatMap(({ name, isUnused }) => (isUnused === undefined ? [] : [name]));
  const [large, small] = [await lowerTagged(200, to('Shelf')), await lowerTagged(3, to('Shelf'))];
  expect(moduleOf(large, 'Shelf')).toBe('books');
  expect(unusedOf(small)).toEqual(['Other0', 'Other1', 'Other2']);
  expect(unusedOf(large)).toHaveLength(200);
});

test('one module has the schemas of a small contract', async () => {
  const contract = await lowerTagged(100);
  expect(new Set(contract.schemas.map(({ module }) => module))).toEqual(new Set([undefined]));
});
