import { createWebhooks, receiverName, unauthenticated } from '@instant-payment/webhooks';
import {
  createConsumer,
  serialize,
  type ConsumerOptions,
  type Decision,
  type StoredContext,
} from '@instant-payment/webhooks/consumer';
import { handOver } from '@instant-payment/webhooks/deviations';
import { deliver } from '@instant-payment/webhooks/testing';
import { expect, test } from 'vitest';

/** Puts deliveries on a queue of texts, which stands for an engine. */
function startReceiver(options: { readonly deliveryIdentity?: 'same-content' } = {}) {
  const queue: string[] = [];
  const { fetch: receive } = createWebhooks({
    authenticate: unauthenticated(),
    forward: async (delivery) => {
      queue.push(serialize(delivery));
      return await Promise.resolve();
    },
    ...options,
  });
  return { queue, receive };
}

/** Handles what is on the queue, each delivery at its first attempt. */
async function consumeAll(
  queue: readonly string[],
  options: Partial<ConsumerOptions> = {},
): Promise<{ readonly decisions: readonly Decision[]; readonly seen: readonly string[] }> {
  const seen: string[] = [];
  const { consume } = createConsumer({
    on: {
      cashoutStageTwo: ({ kind, data }, { orderKey, attempt }) => {
        seen.push(`${kind} ${data.Pix.txid} ${orderKey} ${attempt}`);
      },
    },
    otherwise: { rest: ({ kind, form }) => void seen.push(`${kind} ${form}`) },
    onInvalid: ({ reason, kinds }) => {
      seen.push(`${reason} ${kinds.join()}`);
      return reason === 'body' ? 'accept' : undefined;
    },
    ...(options as object),
  });
  const decisions: Decision[] = [];
  for (const text of queue) decisions.push(await consume(text, 1));
  return { decisions, seen };
}

test('the generated consumer handles what the generated receiver forwarded', async () => {
  const { queue, receive } = startReceiver();
  const body = { Pix: { txid: 'T1' } };
  const requests = [
    await deliver('cashoutStageTwo', { body }),
    await deliver('customer', {}),
    await deliver('customer', { body: { protocolId: 7 as never } }),
    new Request('http://localhost/', { method: 'POST', body: 'protocolId=7' }),
    new Request('http://localhost/', { method: 'POST', body: '{"other":1}' }),
  ];
  for (const request of requests) expect((await receive(request)).status).toBe(200);
  const { decisions, seen } = await consumeAll(queue);
  expect(seen).toEqual([
    `cashoutStageTwo T1 ${receiverName} T1 1`,
    'customer canonical',
    'schema customer',
    'body ',
    'null canonical',
  ]);
  const done = { outcome: 'done' };
  const dead = { outcome: 'dead', reason: 'invalid-delivery' };
  expect(decisions).toEqual([done, done, dead, done, done]);
});

test('what the sender repeats has one id, and is handled once', async () => {
  const { queue, receive } = startReceiver({ deliveryIdentity: 'same-content' });
  for (let sent = 0; sent < 2; sent++) await receive(await deliver('customer', {}));
  const [first, second] = queue.map((text) => JSON.parse(text) as { readonly id: string });
  expect(second?.id).toBe(first?.id);
  expect((await consumeAll(queue)).seen).toEqual(['customer canonical']);
});

test('deliveries that violate their schema can be handed over', async () => {
  const { queue, receive } = startReceiver();
  await receive(await deliver('customer', { body: { externalProtocolId: true as never } }));
  const seen: string[] = [];
  const customer = (
    { violations }: { readonly violations: readonly object[] },
    context: StoredContext,
  ) => void seen.push(`${violations.length} ${context.attempt}`);
  const { decisions } = await consumeAll(queue, { deviations: handOver({ customer }) });
  expect([decisions, seen]).toEqual([[{ outcome: 'done' }], ['1 1']]);
});

/** Compiled with everything else, never run. */
export function use(): void {
  const authenticate = unauthenticated();
  const ignore = (): undefined => undefined;
  const inbox = { receive: async () => ({ status: 'stored' }) as const };
  createWebhooks({ authenticate, forward: async () => undefined });
  createWebhooks({ authenticate, forward: async () => ({ status: 'duplicate' }) as const });
  createWebhooks({
    authenticate,
    forward: async (delivery, signal) => void `${delivery.id} ${signal.aborted}`,
    orderBy: ({ kind }) => kind ?? undefined,
    stored: { headers: ['x-id'] },
  });
  // @ts-expect-error: an engine that returns what became of a delivery has to say it in these words
  createWebhooks({ authenticate, forward: async () => 'job-1' });
  // @ts-expect-error: pg-boss returns `null` for a job that it has dropped
  createWebhooks({ authenticate, forward: async () => null });
  // @ts-expect-error: one of the two
  createWebhooks({ authenticate, forward: async () => undefined, inbox });
  // @ts-expect-error: a consumer handles what is forwarded
  createWebhooks({
    authenticate,
    forward: async () => undefined,
    on: {},
    otherwise: ignore,
    onInvalid: ignore,
  });
  // @ts-expect-error: without `rest`, every kind needs a handler
  createConsumer({ on: {}, otherwise: ignore, onInvalid: ignore });
  // @ts-expect-error: not a kind
  createConsumer({ on: { sale: ignore }, otherwise: { rest: ignore }, onInvalid: ignore });
  createConsumer({
    on: {
      cashoutStageTwo: ({ data }, { deadLetter }) =>
        data.Pix.Status === 1 ? undefined : deadLetter('The account is closed'),
    },
    otherwise: { rest: ignore },
    onInvalid: ({ reason }) => (reason === 'schema' ? 'accept' : undefined),
  });
  createConsumer({
    on: {},
    otherwise: { rest: ignore },
    // @ts-expect-error: an effect is for the store of an inbox
    onInvalid: () => ({ reject: 1 }),
  });
}
