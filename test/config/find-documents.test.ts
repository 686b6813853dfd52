import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findDocuments, namesIn } from '../../generator/config/find-documents.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';

it('finds the first document of each kind by its content', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'folder.yaml'));
  await writeTree(folder, {
    'a.yaml': 'title: no document\nopenapi-like: 1\n',
    'b.json': '{ "asyncapi": "3.0.0" }',
    'c.yml': '# a comment\nopenapi: 3.1.0\n',
    'd.yaml': 'openapi: 3.1.0\n',
    'e.txt': 'openapi: 3.1.0\n',
    'nested.yaml': 'info:\n  openapi: 3.1.0\n',
  });
  expect(await findDocuments(folder, await namesIn(folder))).toEqual(['c.yml', 'b.json']);
});

it('finds nothing in a folder that does not exist', async () => {
  const folder = join(await temporaryFolder(), 'none');
  expect(await findDocuments(folder, await namesIn(folder))).toEqual([]);
});
