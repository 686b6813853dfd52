import { resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { OutputFile } from '../../../generator/targets/target.ts';
import { explain } from '../../../generator/tools/explain/explain.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';

const openapi = `openapi: 3.1.2
info: { title: Parcels, version: 1.0.0 }
paths:
  /parcels:
    get:
      operationId: listParcels
      responses: { '204': { description: None. } }
`;
const list = 'openapi#/paths/~1parcels/get';
const files: readonly OutputFile[] = [
  {
    path: 'client/list-parcels.ts',
    text: '/** @see openapi.yaml#/paths/~1parcels/get */\nexport function listParcels() {}\n',
    from: [list],
  },
];

let read: Parameters<typeof explain>[2];
beforeAll(async () => {
  const { contract, documents } = await lowerFiles({ 'openapi.yaml': openapi });
  read = { contract, documents, folder: '/shop', output: '/shop/generated' };
});

const ask = (asked: string, from = '/shop'): ReturnType<typeof explain> =>
  explain(asked, resolve(from), read, async () => files);

it.each([
  ['listParcels', '/shop'],
  ['LISTPARCELS', '/shop'],
  ['GET /parcels', '/shop'],
  ['openapi#/paths/~1parcels/get', '/shop'],
  ['/paths/~1parcels/get', '/shop'],
  ['openapi.yaml#/paths/~1parcels/get', '/shop'],
  ['../openapi.yaml#/paths/~1parcels/get', '/shop/src'],
  ['openapi.yaml:6', '/shop'],
  ['../openapi.yaml:6', '/shop/src'],
  ['/shop/openapi.yaml:6:7', '/'],
  ['generated/client/list-parcels.ts:2', '/shop'],
  ['list-parcels.ts', '/shop/generated/client'],
])('%s, asked in %s, is the call', async (asked, from) => {
  const { explanation } = await ask(asked, from);
  expect(explanation?.explained.map(({ subject }) => subject.pointer)).toEqual([list]);
});

it.each([
  ['openapi.yaml:8', 'openapi.yaml has 7 lines; there is no line 8.'],
  ['generated/client/list-parcels.ts:0', 'there is no line 0.'],
  ['generated/client/other.ts:1', 'is not a known name or place.'],
  ['listParcel', 'Did you mean "listParcels"?'],
  ['unresolved-referense', 'Did you mean "unresolved-reference"?'],
])('%s is refused: %s', async (asked, message) => {
  await expect(ask(asked)).rejects.toThrow(message);
});

it.each(['', 'operations.0', 'info.title'])(
  'the part %j of the model is found, although no file can be generated',
  async (asked) => {
    const failing = async (): Promise<never> => await Promise.reject(new Error('no target'));
    const { explanation, parts } = await explain(asked, '/shop', read, failing);
    expect(explanation).toBeUndefined();
    expect(parts).toHaveLength(1);
  },
);
