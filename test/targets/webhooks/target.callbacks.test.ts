import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { readOpenapi } from '../client/emit-client.ts';
import { generateWebhooks } from './emit-webhooks.ts';

/** A payment service that calls three URLs of a subscriber, each below the URL that the subscriber has given. */
const subscriptions = {
  openapi: '3.0.0',
  info: { title: 'Payments', version: '1.0.0' },
  servers: [{ url: 'https://{host}/v2' }],
  paths: {
    '/webhook': {
      put: {
        operationId: 'subscribe',
        requestBody: body({ webhookUrl: { type: 'string' } }),
        responses: { 200: { description: 'Subscribed.' } },
        callbacks: {
          paid: callback('/pix', 'pix'),
          recurring: callback('/rec', 'recs'),
          charged: callback('/cobr', 'cobsr'),
        },
      },
    },
  },
};

function body(properties: object): object {
  return { content: { 'application/json': { schema: { type: 'object', properties } } } };
}

/** A callback whose body requires no member, so that only its path identifies it. */
function callback(suffix: string, member: string): object {
  const post = {
    requestBody: body({ [member]: { type: 'array', items: { type: 'object' } } }),
    responses: { 200: { description: 'Received.' } },
  };
  return { [`{$request.body#/webhookUrl}${suffix}`]: { post } };
}

test('callbacks below one URL reach a handler each', async () => {
  await using generated = await generateWebhooks(await readOpenapi(subscriptions));
  const entry = pathToFileURL(join(generated.webhooks, 'src/index.ts')).href;
  const { createWebhooks, unauthenticated } = (await import(entry)) as WebhooksModule;
  const reached: string[] = [];
  const handler = (name: string) => () => {
    reached.push(name);
  };
  const { fetch } = createWebhooks({
    authenticate: unauthenticated(),
    on: {
      paid: handler('paid'),
      recurring: handler('recurring'),
      charged: handler('charged'),
      // For deliveries to another path.
      chargedOrPaidOrRecurring: handler('any'),
    },
    otherwise: handler('otherwise'),
    onInvalid: ({ reason }: { reason: string }) => {
      reached.push(reason);
    },
  });
  const statuses: number[] = [];
  for (const path of ['/pix', '/rec', '/cobr', '/other']) {
    const response = await fetch(
      new Request(`https://subscriber.example${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
    );
    statuses.push(response.status);
  }
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(reached).toEqual(['paid', 'recurring', 'charged', 'any']);
});
