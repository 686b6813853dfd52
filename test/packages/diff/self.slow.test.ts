import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findDocuments } from '../../corpus/find-documents.ts';
import { repository } from '../../targets/emit-project.ts';
import { changesWritten, waysToWrite } from './self.ts';

const examples = await findDocuments([`${repository}/examples`]);

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(3);
});

describe.each(examples.map(({ path }) => relative(repository, path)))('%s', (path) => {
  test.each(waysToWrite)('is unchanged %s', async (way) => {
    expect(await changesWritten(path, way)).toEqual([]);
  });
});
