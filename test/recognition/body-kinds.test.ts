import { expect, test } from 'vitest';
import { kindsOfBody } from '../../generator/recognition/body-kinds.ts';
import type { Json } from '../../generator/json/json.ts';
import { readOpenapi } from '../targets/client/emit-client.ts';

const object = { type: 'object', properties: { id: { type: 'integer' } } };

function webhook(identifiedBy?: object): object {
  return {
    post: {
      ...(identifiedBy === undefined ? {} : { 'x-identified-by': identifiedBy }),
      requestBody: { content: { 'application/json': { schema: object } } },
      responses: { '200': { description: 'Handled.' } },
    },
  };
}

const { recognition } = await readOpenapi({
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  webhooks: {
    paid: webhook({ '$request.body#/type': { const: 'paid' } }),
    refunded: webhook({ '$request.body#/type': { type: 'string', pattern: '^refund' } }),
    bare: webhook({ '$request.body#/type': false }),
    counted: webhook({ '$request.body#/count': { type: 'integer' } }),
    opened: webhook({ '$request.header.x-event': { const: 'opened' } }),
    closed: webhook({
      '$request.header.x-event': { const: 'closed' },
      '$request.body#/type': { const: 'closed' },
    }),
  },
});

function find(body: Json): readonly [possible: readonly string[], named: readonly string[]] {
  const { possible, named } = kindsOfBody(recognition, body);
  return [[...possible].toSorted(), [...named].toSorted()];
}

test.each<readonly [string, Json, readonly string[], readonly string[]]>([
  ['a value', { type: 'paid' }, ['opened', 'paid'], ['paid']],
  ['a pattern', { type: 'refund-2' }, ['opened', 'refunded'], ['refunded']],
  ['a missing member', { id: 1 }, ['bare', 'opened'], ['bare']],
  ['a type', { type: 'other', count: 1 }, ['counted', 'opened'], ['counted']],
  ['another type', { type: 'other', count: '1' }, ['opened'], []],
  ['two members', { type: 'paid', count: 1 }, ['counted', 'opened', 'paid'], ['counted', 'paid']],
  ['a part of the conditions', { type: 'closed' }, ['closed', 'opened'], []],
  ['no member', [], ['bare', 'opened'], ['bare']],
])('by %s, a body has its kinds', (_, body, possible, named) => {
  expect(find(body)).toEqual([possible, named]);
});

test('a kind without conditions is possible for each body, and no body names it', async () => {
  const { recognition: other } = await readOpenapi({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    webhooks: { paid: webhook({ '$request.body#/type': { const: 'paid' } }), sold: webhook() },
  });
  const { possible, named } = kindsOfBody(other, { type: 'other' });
  expect([...possible]).toEqual(['sold']);
  expect([...named]).toEqual([]);
});
