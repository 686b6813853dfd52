import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';

const json = (schema: string): string =>
  `requestBody: { content: { application/json: { schema: ${schema} } } }\n      responses: { '200': { description: Done } }`;

/** Webhooks of a contract that declares no vocabulary: only its schemas, methods and media types distinguish them. */
const openapi = `openapi: 3.1.1
info: { title: Foreign, version: 1.0.0 }
webhooks:
  heartbeat:
    post:
      ${json('{ type: object, properties: { event: { const: heartbeat } } }')}
  systemStatus:
    post:
      ${json('{ type: object, properties: { event: { const: systemStatus } } }')}
  form:
    post:
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { event: { const: form } } } } } }
      responses: { '200': { description: Done } }
  visit:
    get:
      parameters: [{ name: id, in: query, schema: { type: string } }]
      responses: { '200': { description: Done } }
`;

let generated: GeneratedWebhooks;
let webhooks: WebhooksModule;

beforeAll(async () => {
  const { contract } = await lowerFiles({ 'openapi.yaml': openapi });
  generated = await generateWebhooks(contract);
  webhooks = (await import(
    pathToFileURL(join(generated.webhooks, 'src/index.ts')).href
  )) as WebhooksModule;
});
afterAll(() => generated[Symbol.asyncDispose]());

test.each([
  ['POST', '{"event":"heartbeat"}', 'heartbeat'],
  ['POST', '{"event":"systemStatus"}', 'systemStatus'],
  ['POST', '{}', 'heartbeat or systemStatus'],
  ['POST', '{"event":"other"}', 'null'],
  ['POST', 'event=form', 'form'],
  ['POST', 'other=1', 'form'],
  ['GET', undefined, 'visit'],
])('%s %s is %s', async (method, body, expected) => {
  const seen: string[] = [];
  const { fetch } = webhooks.createWebhooks({
    authenticate: webhooks.unauthenticated(),
    on: {},
    otherwise: {
      rest: ({ kind, kinds }: { kind: string | null; kinds?: readonly string[] }) =>
        void seen.push(kinds?.join(' or ') ?? String(kind)),
    },
    onInvalid: ({ reason }: { reason: string }) => void seen.push(reason),
  });
  await fetch(
    new Request('http://127.0.0.1/hooks?id=1', { method, ...(body === undefined ? {} : { body }) }),
  );
  expect(seen).toEqual([expected]);
});
