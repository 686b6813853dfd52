import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { readOpenapi } from '../client/emit-client.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';

/** The engine needs 2 seconds for a text of 28 characters, and centuries for one of 80. */
const slow = '^(\\w|\\d)+$';

const document = {
  openapi: '3.1.0',
  info: { title: 'Codes', version: '1.0.0' },
  paths: {},
  webhooks: {
    coded: {
      post: {
        operationId: 'coded',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Coded' } } },
        },
        responses: { 204: { description: 'Received.' } },
      },
    },
  },
  components: {
    schemas: {
      Coded: {
        type: 'object',
        required: ['code', 'note'],
        properties: {
          code: { type: 'string', pattern: slow },
          note: { type: 'string', maxLength: 8, pattern: '^[a-z]+$' },
        },
        'x-variants': {
          short: { when: { '$request.body#/c': {} }, rename: { c: 'code', n: 'note' } },
          list: { when: { '$request.body#/codes': { type: 'array' } }, each: '/codes' },
        },
      },
    },
  },
};

let generated: GeneratedWebhooks;
let fetch: (request: Request) => Promise<Response>;
let handled: unknown[];
let violations: readonly (readonly [pointer: string, keyword: string])[];

interface Invalid {
  readonly violations: readonly { readonly pointer: string; readonly keyword: string }[];
}

beforeAll(async () => {
  generated = await generateWebhooks(await readOpenapi(document));
  const entry = pathToFileURL(join(generated.webhooks, 'src/index.ts')).href;
  const main = (await import(entry)) as WebhooksModule;
  ({ fetch } = main.createWebhooks({
    authenticate: main.unauthenticated(),
    otherwise: () => undefined,
    on: { coded: ({ data }: { readonly data: unknown }) => void handled.push(data) },
    onInvalid: (invalid: Invalid) => {
      violations = invalid.violations.map(({ pointer, keyword }) => [pointer, keyword]);
    },
  }));
});
afterAll(() => generated[Symbol.asyncDispose]());

async function deliver(body: object): Promise<number> {
  handled = [];
  violations = [];
  const { status } = await fetch(
    new Request('https://receiver.invalid/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  return status;
}

describe('a generated receiver', () => {
  test.each([28, 80, 1000])(
    'does not match a slow pattern against a text of %d characters',
    async (length) => {
      const code = `${'a'.repeat(length)}!`;
      expect(await deliver({ code, note: 'short' })).toBe(204);
      expect(handled).toEqual([{ code, note: 'short' }]);
    },
  );

  test.each([
    ['a body', '', (note: string) => ({ code: 'a', note })],
    ['renamed members', '', (note: string) => ({ c: 'a', n: note })],
    ['a list', '/codes/0', (note: string) => ({ codes: [{ code: 'a', note }] })],
  ])('does not match a pattern against a text beyond maxLength: %s', async (_, at, body) => {
    const pointer = `${at}/${'n' in body('') ? 'n' : 'note'}`;
    await deliver(body('123'));
    expect(violations).toEqual([[pointer, 'pattern']]);
    await deliver(body('123456789'));
    expect(violations).toEqual([[pointer, 'maxLength']]);
  });
});
