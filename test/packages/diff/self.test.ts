import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findDocuments } from '../../corpus/find-documents.ts';
import { repository } from '../../targets/emit-project.ts';
import { changesBetween, changesWritten, waysToWrite } from './self.ts';

const found = await findDocuments(
  ['test/golden', 'test/corpus/contracts'].map((folder) => join(repository, folder)),
);
const documents = found
  .filter(({ path, specification }) => !path.includes('/expected/') && / 3\./u.test(specification))
  .map(({ path }) => relative(repository, path));

test('there are documents', () => {
  expect(documents.length).toBeGreaterThan(9);
});

describe.each(documents)('%s', (path) => {
  test.each(waysToWrite)('is unchanged %s', async (way) => {
    expect(await changesWritten(path, way)).toEqual([]);
  });
});

test('channels with messages of the same name are told apart by their addresses', async () => {
  const channel = (kind: string) => ({
    address: `/${kind}`,
    messages: {
      event: {
        payload: { type: 'object', required: ['kind'], properties: { kind: { const: kind } } },
      },
    },
  });
  const send = (name: string) => ({ action: 'send', channel: { $ref: `#/channels/${name}` } });
  const both = {
    asyncapi: '3.0.0',
    info: { title: 'T', version: '1.0.0' },
    channels: { a: channel('a'), b: channel('b') },
    operations: { sendA: send('a'), sendB: send('b') },
  };
  const one = { ...both, channels: { b: channel('b') }, operations: { sendB: send('b') } };
  const codes = (await changesBetween(JSON.stringify(both), JSON.stringify(one))).map(
    (line) => line.split(' ')[0],
  );
  expect(codes).toContain('notification-removed');
  expect(codes).not.toContain('label-changed');
  expect(codes).not.toContain('const-changed');
});
