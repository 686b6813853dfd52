import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { generateProject } from '../emit-project.ts';

const openapi = (method: string, more = ''): string => `openapi: 3.1.0
info: { title: Bells, version: 1.0.0 }
webhooks:
  ring: { ${method}: { ${more}responses: { '200': { description: Done } } } }
`;
const asyncapi = `asyncapi: 3.0.0
info: { title: Bells, version: 1.0.0 }
channels:
  bells: { address: /bells, messages: { ring: { title: Ring } } }
operations:
  ring: { action: send, channel: { $ref: '#/channels/bells' } }
`;

/** Returns a function that posts a body to the receiver of a contract, and what its handlers got. */
async function receiverOf(
  files: Readonly<Record<string, string>>,
): Promise<(method: string, body?: string) => Promise<readonly unknown[]>> {
  const { contract } = await lowerFiles(files);
  const project = await generateProject(contract, [contractTarget, webhooksTarget]);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const path = pathToFileURL(join(project.project, 'webhooks/src/index.ts')).href;
  const { createWebhooks, unauthenticated } = (await import(path)) as WebhooksModule;
  return async (method, body) => {
    const seen: unknown[] = [];
    const { fetch } = createWebhooks({
      authenticate: unauthenticated(),
      on: {},
      otherwise: {
        rest: ({ kind, data }: { kind: string | null; data: unknown }) =>
          void seen.push(kind, data),
      },
      onInvalid: () => void seen.push('invalid'),
    });
    const request = new Request('http://127.0.0.1/bells', {
      method,
      ...(body === undefined ? {} : { body }),
    });
    return [(await fetch(request)).status, ...seen];
  };
}

test.each<readonly [string, Readonly<Record<string, string>>, string]>([
  ['a webhook (POST)', { 'openapi.yaml': openapi('post') }, 'POST'],
  ['a webhook (PUT)', { 'openapi.yaml': openapi('put') }, 'PUT'],
  ['a message', { 'asyncapi.yaml': asyncapi }, 'POST'],
])('%s without a declared body has none, and accepts every other', async (_, files, method) => {
  const receive = await receiverOf(files);
  expect(await receive(method)).toEqual([200, 'ring', {}]);
  expect(await receive(method, '')).toEqual([200, 'ring', {}]);
  expect(await receive(method, '{"a":1}')).toEqual([200, 'ring', { a: 1 }]);
  expect(await receive(method, '[1]')).toEqual([200, 'ring', [1]]);
  expect(await receive(method, 'some text')).toEqual([200, 'ring', {}]);
});

test('a declared body is required as before', async () => {
  const body = 'requestBody: { content: { application/json: { schema: { type: object } } } }, ';
  const receive = await receiverOf({ 'openapi.yaml': openapi('post', body) });
  expect(await receive('POST', '')).toEqual([400, 'invalid']);
  expect(await receive('POST', '{}')).toEqual([200, 'ring', {}]);
});
