import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../../targets/emit-project.ts';
import { changesBetween, readDocument, rewritings } from './self.ts';

const contracts = ['harbours', 'lights', 'old'].map((name) =>
  name === 'old' ? 'test/corpus/contracts/old.json' : `test/corpus/contracts/${name}.yaml`,
);

describe.each(contracts)('%s', (path) => {
  test.each(Object.entries(rewritings))('is unchanged %s', async (_, rewrite) => {
    expect(await readFile(join(repository, path), 'utf8')).not.toBe('');
    const document = await readDocument(path);
    expect(await changesBetween(document, rewrite(document))).toEqual([]);
  });
});
