import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../generator/json/json.ts';
import { findDocuments } from '../../corpus/find-documents.ts';
import { addition, namesInBothOrders, namesLostBy } from './kept-names.ts';

const folders = ['../../corpus/contracts', '../../../examples'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
const documents = (await findDocuments(folders)).filter(({ specification }) =>
  /^(?:OpenAPI 3|AsyncAPI 3)/u.test(specification),
);

test('there are documents', () => {
  expect(documents.length).toBeGreaterThan(9);
});

test.each(documents.map(({ name, path, kind }) => [name, path, kind] as const))(
  '%s keeps its names, whatever is added',
  async (_, path) => {
    const document = parse(await readFile(path, 'utf8')) as JsonObject;
    await fc.assert(
      fc.asyncProperty(fc.array(addition, { minLength: 1, maxLength: 3 }), async (list) => {
        expect(await namesLostBy(document, list)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  },
  600_000,
);

test.each(documents.map(({ name, path }) => [name, path] as const))(
  'the names of %s do not depend on the order',
  async (_, path) => {
    const [names, opposite] = await namesInBothOrders(parse(await readFile(path, 'utf8')));
    expect(opposite).toEqual(names);
  },
  600_000,
);
