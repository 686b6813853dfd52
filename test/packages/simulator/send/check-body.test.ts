import { expect, test } from 'vitest';
import {
  checkBody,
  type BodyFindings,
} from '../../../../packages/simulator/src/send/check-body.ts';
import type { Json } from '../../../../generator/json/json.ts';
import { withExampleCheck } from '../../../../generator/rules/example-check.ts';
import { ValidatorCompiler } from '../../../../generator/validators/validator-compiler.ts';
import { readOpenapi } from '../../../targets/client/emit-client.ts';

const webhook = (type: string, more: object = {}): object => ({
  post: {
    ...more,
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['type', 'id'],
            properties: { type: { const: type }, id: { type: 'integer' } },
            'x-variants': {
              listed: { when: { '$request.body#/items': { type: 'array' } }, each: '/items' },
            },
          },
        },
      },
    },
    responses: { '200': { description: 'Handled.' } },
  },
});

const contract = await readOpenapi({
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  webhooks: {
    paid: webhook('paid'),
    refunded: webhook('refunded'),
    opened: webhook('opened', {
      'x-identified-by': { '$request.header.x-event': { const: 'opened' } },
    }),
  },
});

async function find(name: string, body: Json): Promise<BodyFindings> {
  const notification = contract.notifications.find((candidate) => candidate.name === name);
  if (notification === undefined) throw new Error(`There is no notification ${name}`);
  return await withExampleCheck(contract, new ValidatorCompiler(), (check) =>
    checkBody(contract, notification, body, check),
  );
}

test('a valid body has no findings, in each wire format', async () => {
  expect(await find('paid', { type: 'paid', id: 1 })).toEqual({});
  expect(await find('paid', { items: [{ type: 'paid', id: 1 }] })).toEqual({});
});

test('what a body violates is a sentence', async () => {
  expect(await find('paid', { type: 'paid', id: '1' })).toEqual({
    violations: expect.stringMatching(/^"\/id" must be an integer/u),
  });
  const { violations } = await find('paid', { items: [{ type: 'paid' }] });
  expect(violations).toContain('must have the member "id"');
});

test('the other kinds are those whose members the body has', async () => {
  expect((await find('paid', { type: 'refunded', id: 1 })).identifiedAs).toEqual(['refunded']);
  expect((await find('paid', { type: 'unknown', id: 1 })).identifiedAs).toEqual([]);
});

test('a kind that a header identifies is not compared with the body', async () => {
  const findings = await find('opened', { type: 'paid', id: 1 });
  expect(Object.keys(findings)).toEqual(['violations']);
});
