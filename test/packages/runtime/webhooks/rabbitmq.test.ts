import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Consumer, Decision } from '../../../../packages/runtime/webhooks/consumer.ts';
import type { StoredDelivery } from '../../../../packages/runtime/webhooks/contract.ts';
import {
  consumeFromRabbitMq,
  declareRabbitMq,
  forwardToRabbitMq,
  type RabbitConsumption,
} from '../../../../packages/runtime/webhooks/rabbitmq.ts';

type Published = readonly [exchange: string, key: string, text: string, options: object];
type Confirm = (error: unknown) => void;

/** A channel in memory. `confirm` says what becomes of a message that is published. */
class FakeChannel extends EventEmitter {
  readonly published: Published[] = [];
  readonly acknowledged: string[] = [];
  readonly declared: unknown[][] = [];
  isCancelled = false;
  #onMessage: (message: Message | null) => void = () => undefined;
  confirm: (options: { correlationId: string }, confirm: Confirm) => void = (_, confirm) =>
    confirm(null);

  publish(
    exchange: string,
    key: string,
    content: Buffer,
    options: object,
    confirm: Confirm,
  ): boolean {
    this.published.push([exchange, key, content.toString(), options]);
    this.confirm(options as { correlationId: string }, confirm);
    return true;
  }
  async assertExchange(...declared: unknown[]): Promise<void> {
    this.declared.push(declared);
  }
  async assertQueue(...declared: unknown[]): Promise<void> {
    this.declared.push(declared);
  }
  async bindQueue(...declared: unknown[]): Promise<void> {
    this.declared.push(declared);
  }
  async prefetch(): Promise<void> {}
  async consume(_queue: string, onMessage: (message: Message | null) => void) {
    this.#onMessage = onMessage;
    return await Promise.resolve({ consumerTag: 'tag' });
  }
  async cancel(): Promise<void> {
    this.isCancelled = true;
  }
  ack(message: Message): void {
    this.acknowledged.push(message.content.toString());
  }
  deliver(text: string | null): void {
    const [routingKey = ''] = (text ?? '').split(' ');
    this.#onMessage(text === null ? null : { content: Buffer.from(text), fields: { routingKey } });
  }
}

interface Message {
  readonly content: Buffer;
  readonly fields: { readonly routingKey: string };
}

const delivery: StoredDelivery = {
  id: 'D1',
  receivedAt: 0,
  method: 'POST',
  target: '/docked',
  headers: [],
  body: Buffer.from('{}'),
  verdict: 'valid',
  orderKey: 'test gull',
  events: [{ id: 'D1' }],
};
const { signal } = new AbortController();
const done: Decision = { outcome: 'done' };
const again = (afterMs: number): Decision => ({ outcome: 'retry', afterMs, reason: 'not now' });

test('a delivery is published as a durable message to the queue of its order key', async () => {
  const channel = new FakeChannel();
  const trace = () => ({ traceparent: '00-1' });
  const forward = forwardToRabbitMq({ channel, exchange: 'deliveries', trace });
  await forward(delivery, signal);
  await forward({ ...delivery, id: 'D2' }, signal);
  await forward({ ...delivery, id: 'D3', orderKey: undefined }, signal);
  const [first, second, third] = channel.published;
  expect(first).toEqual([
    'deliveries',
    expect.stringMatching(/^[\w+/=]{44}$/u),
    expect.stringContaining('"traceparent":"00-1"'),
    { messageId: 'D1', mandatory: true, persistent: true, correlationId: expect.any(String) },
  ]);
  expect([second?.[1], third?.[1] === first?.[1]]).toEqual([first?.[1], false]);
});

test.each([
  ['refuses', (_: object, confirm: Confirm) => confirm(new Error('nack')), 'nack'],
  [
    'returns, because no queue takes it, and then confirms',
    function (this: FakeChannel, { correlationId }: { correlationId: string }, confirm: Confirm) {
      this.emit('return', { properties: { correlationId } });
      confirm(null);
    },
    'No queue',
  ],
])('a message that the server %s is not stored', async (_what, confirm, message) => {
  const channel = new FakeChannel();
  channel.confirm = confirm;
  const forward = forwardToRabbitMq({ channel, exchange: 'deliveries' });
  await expect(forward(delivery, signal)).rejects.toThrow(message);
  // The same delivery again has nothing to do with it.
  channel.confirm = (_options, stored) => stored(undefined);
  await expect(forward(delivery, signal)).resolves.toBeUndefined();
});

test('a delivery waits for its confirmation', async () => {
  const channel = new FakeChannel();
  let isStored = false;
  let confirmed: Confirm = () => undefined;
  channel.confirm = (_options, confirm) => {
    confirmed = confirm;
  };
  const storing = forwardToRabbitMq({ channel, exchange: 'deliveries' })(delivery, signal);
  void Promise.resolve(storing).then(() => {
    isStored = true;
  });
  await sleep(20);
  expect(isStored).toBe(false);
  confirmed(null);
  await storing;
});

test('the queues are durable, and lose nothing that they do not keep', async () => {
  const channel = new FakeChannel();
  const declared = await declareRabbitMq(channel, { exchange: 'deliveries', queues: 2 });
  expect(declared).toEqual({
    queues: ['deliveries.0', 'deliveries.1'],
    deadLetterQueue: 'deliveries.dead',
  });
  expect(channel.declared[0]).toEqual(['deliveries', 'x-consistent-hash', { durable: true }]);
  expect(channel.declared[2]).toMatchObject([
    'deliveries.0',
    {
      durable: true,
      arguments: {
        'x-queue-type': 'quorum',
        'x-single-active-consumer': true,
        'x-overflow': 'reject-publish',
        'x-dead-letter-routing-key': 'deliveries.dead',
        'x-dead-letter-strategy': 'at-least-once',
      },
    },
  ]);
});

/** Starts to handle what `channel` delivers. `decide` gets the text and the attempt. */
function start(
  decide: (text: string, attempt: number) => Decision | Promise<Decision>,
  options: Partial<RabbitConsumption> = {},
) {
  const channel = new FakeChannel();
  const stop = new AbortController();
  const calls: string[] = [];
  const consumer: Consumer = {
    consume: async (text, attempt) => {
      const shown = typeof text === 'string' ? text : text.id;
      calls.push(`${shown} #${attempt}`);
      return await decide(shown, attempt);
    },
  };
  const ended = consumeFromRabbitMq(consumer, {
    channel,
    queue: 'deliveries.0',
    deadLetterQueue: 'deliveries.dead',
    signal: stop.signal,
    ...options,
  });
  ended.catch(() => undefined);
  return { channel, calls, stop, ended };
}

test('later events of a key wait for one that is given again, and other keys do not', async () => {
  const decide = (text: string, attempt: number): Decision =>
    text === 'gull 1' && attempt < 3 ? again(30) : done;
  const { channel, calls, stop, ended } = start(decide);
  await Promise.resolve();
  await sleep(0);
  for (const text of ['gull 1', 'gull 2', 'tern 1']) channel.deliver(text);
  await expect.poll(() => channel.acknowledged).toEqual(['tern 1', 'gull 1', 'gull 2']);
  expect(calls).toEqual(['gull 1 #1', 'tern 1 #1', 'gull 1 #2', 'gull 1 #3', 'gull 2 #1']);
  stop.abort();
  await ended;
  expect(channel.isCancelled).toBe(true);
});

test('a dead delivery is acknowledged after its queue has it, and the next of its key is handled', async () => {
  const { channel, stop, ended } = start((text) =>
    text === 'gull 1' ? { outcome: 'dead', reason: 'no account' } : done,
  );
  let confirmed: Confirm = () => undefined;
  channel.confirm = (_options, confirm) => {
    confirmed = confirm;
  };
  await sleep(0);
  for (const text of ['gull 1', 'gull 2']) channel.deliver(text);
  await expect.poll(() => channel.published).toHaveLength(1);
  expect(channel.acknowledged).toEqual([]);
  expect(channel.published).toMatchObject([
    ['', 'deliveries.dead', 'gull 1', { headers: { 'x-reason': 'no account' } }],
  ]);
  confirmed(null);
  await expect.poll(() => channel.acknowledged).toEqual(['gull 1', 'gull 2']);
  stop.abort();
  await ended;
});

test.each([
  ['the channel ends', (channel: FakeChannel) => channel.emit('close')],
  [
    'the channel fails',
    (channel: FakeChannel) => channel.emit('error', new Error('no connection')),
  ],
  ['the server cancels it', (channel: FakeChannel) => channel.deliver(null)],
  [
    'a dead delivery cannot be published',
    (channel: FakeChannel) => {
      channel.confirm = (_options, confirm) => confirm(new Error('nack'));
      channel.deliver('dead 1');
    },
  ],
  [
    'the channel ends before a dead delivery is confirmed',
    (channel: FakeChannel) => {
      channel.confirm = () => channel.emit('close');
      channel.deliver('dead 1');
    },
  ],
])('rejects where %s, and acknowledges nothing more', async (_what, happen) => {
  const { channel, ended } = start((text) =>
    text.startsWith('dead') ? { outcome: 'dead', reason: 'x' } : again(10_000),
  );
  await sleep(0);
  for (const text of ['gull 1', 'gull 2']) channel.deliver(text);
  happen(channel);
  await expect(ended).rejects.toBeInstanceOf(Error);
  channel.deliver('tern 1');
  await sleep(0);
  expect(channel.acknowledged).toEqual([]);
});

test('rejects before it holds a delivery for too long, so that the server gives it again', async () => {
  const { channel, ended } = start(() => again(60_000), { maxHoldMs: 1000 });
  await sleep(0);
  channel.deliver('gull 1');
  await expect(ended).rejects.toMatchObject({ code: 'engine-failed' });
  expect(channel.acknowledged).toEqual([]);
});

test('ends after the handlers in progress, and begins with none that waits', async () => {
  const { promise, resolve } = Promise.withResolvers<Decision>();
  const { channel, calls, stop, ended } = start(() => promise);
  await sleep(0);
  for (const text of ['gull 1', 'gull 2']) channel.deliver(text);
  await expect.poll(() => calls).toEqual(['gull 1 #1']);
  stop.abort();
  resolve(done);
  await ended;
  expect([channel.acknowledged, calls]).toEqual([['gull 1'], ['gull 1 #1']]);
});
