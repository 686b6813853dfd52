import { describe, expect, test } from 'vitest';
import { changesBetween, readDocument, rewritings } from './self.ts';

const documents = [
  'test/golden/library-loans/openapi.yaml',
  'test/golden/parcel-tracking/openapi.yaml',
  'test/golden/weather-stations/asyncapi.yaml',
  'test/corpus/contracts/alarms.yaml',
  'test/corpus/contracts/lamps.yaml',
  'test/corpus/contracts/crates.yaml',
  'test/corpus/contracts/kennels.yaml',
  'test/corpus/contracts/meters.yaml',
  'test/corpus/contracts/streetlights.yaml',
];

describe.each(documents)('%s', (path) => {
  test.each(Object.entries(rewritings))('is unchanged %s', async (_, rewrite) => {
    const document = await readDocument(path);
    expect(await changesBetween(document, rewrite(document))).toEqual([]);
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
  expect(await changesBetween(both, both)).toEqual([]);
  const codes = (await changesBetween(both, one)).map((line) => line.split(' ')[0]);
  expect(codes).toContain('notification-removed');
  expect(codes).not.toContain('label-changed');
  expect(codes).not.toContain('const-changed');
});
