import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

interface Message {
  readonly content: Buffer;
  readonly fields: { readonly routingKey: string; readonly redelivered: boolean };
  readonly properties: { readonly messageId: string };
}

interface Queued {
  readonly text: string;
  readonly redelivered: boolean;
}

/** A channel of queues in memory. `confirm` says what becomes of a message that is published. */
class FakeChannel extends EventEmitter {
  readonly #server: FakeServer;
  readonly #given = new Map<Message, string>();
  #width = 0;
  #isOpen = true;
  #onMessage: (message: Message | null) => void = () => undefined;

  constructor(server: FakeServer) {
    super();
    this.#server = server;
  }
  publish(
    exchange: string,
    key: string,
    content: Buffer,
    options: object,
    confirm: Confirm,
  ): boolean {
    if (!this.#isOpen) return false;
    const { messageId } = options as { readonly messageId?: string };
    if (key.endsWith('.begun')) {
      this.#server.queueOf(key).push({ text: messageId ?? '', redelivered: false });
      if (this.#server.confirmsMarks) confirm(null);
      return true;
    }
    this.#server.published.push([exchange, key, content.toString(), options]);
    this.#server.confirm.call(this, options as { correlationId: string }, confirm);
    return true;
  }
  async assertExchange(...declared: unknown[]): Promise<void> {
    this.#server.declared.push(declared);
  }
  async assertQueue(...declared: unknown[]): Promise<void> {
    this.#server.declared.push(declared);
  }
  async bindQueue(...declared: unknown[]): Promise<void> {
    this.#server.declared.push(declared);
  }
  async prefetch(count: number): Promise<void> {
    this.#width = count;
  }
  async consume(_queue: string, onMessage: (message: Message | null) => void): Promise<void> {
    this.#onMessage = onMessage;
    await Promise.resolve();
    queueMicrotask(() => this.give());
  }
  async get(queue: string): Promise<Message | false> {
    return await Promise.resolve(this.#isOpen && this.#take(queue));
  }
  give(): void {
    const held = [...this.#given.values()].filter((queue) => queue === main);
    for (let count = held.length; this.#isOpen && count < this.#width; count++) {
      const message = this.#take(main);
      if (message === false) return;
      this.#onMessage(message);
    }
  }
  #take(queue: string): Message | false {
    const next = this.#server.queueOf(queue).shift();
    if (next === undefined) return false;
    const { text, redelivered } = next;
    const [routingKey = ''] = text.split(' ');
    const fields = { routingKey, redelivered };
    const message = { content: Buffer.from(text), fields, properties: { messageId: text } };
    this.#given.set(message, queue);
    return message;
  }
  cancelByServer(): void {
    this.#onMessage(null);
  }
  ack(message: Message): void {
    if (!this.#isOpen) return;
    const queue = this.#given.get(message);
    if (!this.#given.delete(message)) throw new Error('unknown delivery tag');
    if (queue === main) this.#server.acknowledged.push(message.content.toString());
    queueMicrotask(() => this.give());
  }
  /** Ends with the process: nobody hears of it. */
  kill(): void {
    this.#isOpen = false;
    for (const [message, queue] of [...this.#given].toReversed())
      this.#server.queueOf(queue).unshift({ text: message.content.toString(), redelivered: true });
    this.#given.clear();
  }
  async close(): Promise<void> {
    this.kill();
    this.emit('close');
  }
}

const main = 'deliveries.0';

/** A server with queues, which gives a message again that was not acknowledged, before later ones. */
class FakeServer {
  readonly published: Published[] = [];
  readonly acknowledged: string[] = [];
  readonly declared: unknown[][] = [];
  confirmsMarks = true;
  readonly #queues = new Map<string, Queued[]>();
  channel = new FakeChannel(this);
  channels = 0;
  confirm: (this: FakeChannel, options: { correlationId: string }, confirm: Confirm) => void = (
    _,
    confirm,
  ) => confirm(null);

  readonly open = async (): Promise<FakeChannel> => {
    this.channels += 1;
    this.channel = new FakeChannel(this);
    return await Promise.resolve(this.channel);
  };
  queueOf(name: string): Queued[] {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    return queue;
  }
  get waiting(): readonly string[] {
    return this.queueOf(main).map(({ text }) => text);
  }
  put(...texts: readonly string[]): void {
    this.queueOf(main).push(...texts.map((text) => ({ text, redelivered: false })));
    this.channel.give();
  }
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
  const server = new FakeServer();
  const trace = () => ({ traceparent: '00-1' });
  const forward = forwardToRabbitMq({ open: server.open, exchange: 'deliveries', trace });
  await forward(delivery, signal);
  await forward({ ...delivery, id: 'D2' }, signal);
  await forward({ ...delivery, id: 'D3', orderKey: undefined }, signal);
  const [first, second, third] = server.published;
  expect(first).toEqual([
    'deliveries',
    expect.stringMatching(/^[\w+/=]{44}$/u),
    expect.stringContaining('"traceparent":"00-1"'),
    { messageId: 'D1', mandatory: true, persistent: true, correlationId: expect.any(String) },
  ]);
  expect([second?.[1], third?.[1] === first?.[1]]).toEqual([first?.[1], false]);
  expect(server.channels).toBe(1);
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
  const server = new FakeServer();
  server.confirm = confirm;
  const forward = forwardToRabbitMq({ open: server.open, exchange: 'deliveries' });
  await expect(forward(delivery, signal)).rejects.toThrow(message);
  // The same delivery again has nothing to do with it.
  server.confirm = (_options, stored) => stored(undefined);
  await expect(forward(delivery, signal)).resolves.toBeUndefined();
});

test('a receiver opens another channel after one has ended, or could not be opened', async () => {
  const server = new FakeServer();
  let isReachable = false;
  const open = async (): Promise<FakeChannel> => {
    if (!isReachable) throw new Error('no connection');
    return await server.open();
  };
  const forward = forwardToRabbitMq({ open, exchange: 'deliveries' });
  await expect(forward(delivery, signal)).rejects.toThrow('no connection');
  isReachable = true;
  await forward(delivery, signal);
  const first = server.channel;
  first.emit('error', new Error('no connection'));
  await forward(delivery, signal);
  // A channel that failed is closed at last, and the one that took its place stays.
  first.emit('close');
  await forward(delivery, signal);
  expect([server.channels, server.published.length]).toEqual([2, 3]);
});

test('a delivery waits for its confirmation', async () => {
  const server = new FakeServer();
  let isStored = false;
  let confirmed: Confirm = () => undefined;
  server.confirm = (_options, confirm) => {
    confirmed = confirm;
  };
  const forward = forwardToRabbitMq({ open: server.open, exchange: 'deliveries' });
  const storing = forward(delivery, signal);
  void Promise.resolve(storing).then(() => {
    isStored = true;
  });
  await sleep(20);
  expect(isStored).toBe(false);
  confirmed(null);
  await storing;
});

test('the queues are durable, and lose nothing that they do not keep', async () => {
  const server = new FakeServer();
  const options = { exchange: 'deliveries', queues: 2 };
  expect(await declareRabbitMq(server.channel, options)).toEqual({
    queues: ['deliveries.0', 'deliveries.1'],
    deadLetterQueue: 'deliveries.dead',
  });
  expect(server.declared[0]).toEqual(['deliveries', 'x-consistent-hash', { durable: true }]);
  expect(server.declared[2]).toMatchObject([
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

type Decide = (text: string, attempt: number) => Decision | Promise<Decision>;

/** Starts to handle what a server gives. `decide` gets the text and the attempt. */
function start(
  decide: Decide,
  options: Partial<RabbitConsumption> = {},
  server: FakeServer = new FakeServer(),
) {
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
    open: server.open,
    queues: [main],
    deadLetterQueue: 'deliveries.dead',
    signal: stop.signal,
    ...options,
  });
  ended.catch(() => undefined);
  return { server, calls, stop, ended };
}

test('later events of a key wait for one that is given again, and other keys do not', async () => {
  const decide = (text: string, attempt: number): Decision =>
    text === 'gull 1' && attempt < 3 ? again(30) : done;
  const { server, calls, stop, ended } = start(decide);
  server.put('gull 1', 'gull 2', 'tern 1');
  await expect.poll(() => server.acknowledged).toEqual(['tern 1', 'gull 1', 'gull 2']);
  expect(calls).toEqual(['gull 1 #1', 'tern 1 #1', 'gull 1 #2', 'gull 1 #3', 'gull 2 #1']);
  stop.abort();
  await ended;
});

test('a dead delivery is acknowledged after its queue has it, and the next of its key is handled', async () => {
  const { server, stop, ended } = start((text) =>
    text === 'gull 1' ? { outcome: 'dead', reason: 'no account' } : done,
  );
  let confirmed: Confirm = () => undefined;
  server.confirm = (_options, confirm) => {
    confirmed = confirm;
  };
  server.put('gull 1', 'gull 2');
  await expect.poll(() => server.published).toHaveLength(1);
  expect(server.acknowledged).toEqual([]);
  expect(server.published).toMatchObject([
    ['', 'deliveries.dead', 'gull 1', { headers: { 'x-reason': 'no account' } }],
  ]);
  confirmed(null);
  await expect.poll(() => server.acknowledged).toEqual(['gull 1', 'gull 2']);
  stop.abort();
  await ended;
});

test.each([
  ['the channel ends', (server: FakeServer) => void server.channel.close()],
  ['the server cancels it', (server: FakeServer) => server.channel.cancelByServer()],
  [
    'the channel ends before a dead delivery is confirmed',
    (server: FakeServer) => {
      server.confirm = (_options, confirm) => {
        server.confirm = (_more, confirmAll) => confirmAll(null);
        void server.channel.close().then(() => confirm(new Error('channel closed')));
      };
      server.put('dead 1');
    },
  ],
])('where %s, everything that is not finished is given again, in order', async (_what, happen) => {
  const { server, calls, stop, ended } = start((text, attempt) => {
    if (text.startsWith('dead')) return { outcome: 'dead', reason: 'x' };
    return attempt === 1 ? again(200) : done;
  });
  server.put('gull 1', 'gull 2');
  await expect.poll(() => calls).toEqual(['gull 1 #1']);
  happen(server);
  await expect.poll(() => server.acknowledged).toEqual(expect.arrayContaining(['gull 2']));
  expect(server.acknowledged.filter((text) => text !== 'dead 1')).toEqual(['gull 1', 'gull 2']);
  expect(calls.filter((call) => call.startsWith('gull'))).toEqual([
    'gull 1 #1',
    'gull 1 #2',
    'gull 2 #1',
    'gull 2 #2',
  ]);
  stop.abort();
  await ended;
});

test.each([
  [
    'the server refuses a request',
    (server: FakeServer) => server.channel.emit('error', new Error('precondition failed')),
  ],
  [
    'a dead delivery cannot be published',
    (server: FakeServer) => {
      server.confirm = (_options, confirm) => confirm(new Error('nack'));
      server.put('dead 1');
    },
  ],
])('rejects where %s, and acknowledges nothing more', async (_what, happen) => {
  const { server, calls, ended } = start((text) =>
    text.startsWith('dead') ? { outcome: 'dead', reason: 'x' } : again(10_000),
  );
  server.put('gull 1', 'gull 2');
  await expect.poll(() => calls).toEqual(['gull 1 #1']);
  happen(server);
  await expect(ended).rejects.toBeInstanceOf(Error);
  server.put('tern 1');
  await sleep(0);
  expect(server.acknowledged).toEqual([]);
});

test('rejects where no channel can be opened', async () => {
  const open = async (): Promise<never> => await Promise.reject(new Error('no connection'));
  await expect(start(() => done, { open }).ended).rejects.toThrow('no connection');
});

test('gives a delivery back before the server ends the channel, and waits on for its time', async () => {
  const decide = (text: string, attempt: number): Decision =>
    text === 'gull 1' && attempt === 1 ? again(150) : done;
  const { server, calls, stop, ended } = start(decide, { maxHoldMs: 40 });
  const startedAt = performance.now();
  server.put('gull 1', 'gull 2');
  await expect.poll(() => server.acknowledged).toEqual(['gull 1', 'gull 2']);
  expect(performance.now() - startedAt).toBeGreaterThan(140);
  expect(calls).toEqual(['gull 1 #1', 'gull 1 #2', 'gull 2 #1']);
  expect(server.channels).toBeGreaterThan(3);
  stop.abort();
  await ended;
});

test('ends after the handlers in progress, and begins with none that waits', async () => {
  const { promise, resolve } = Promise.withResolvers<Decision>();
  const { server, calls, stop, ended } = start(() => promise);
  server.put('gull 1', 'gull 2');
  await expect.poll(() => calls).toEqual(['gull 1 #1']);
  stop.abort();
  resolve(done);
  await ended;
  expect([server.acknowledged, calls]).toEqual([['gull 1'], ['gull 1 #1']]);
  // It is given to the next consumer, and the channel is closed.
  expect(server.waiting).toEqual(['gull 2']);
});

describe('a delivery that ends its process', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Starts a process again whenever a delivery kills it, until everything is acknowledged. */
  async function restart(server: FakeServer, decide: Decide): Promise<number> {
    const count = server.waiting.length;
    let lives = 0;
    while (server.acknowledged.length < count && lives < 30) {
      lives += 1;
      const { stop, ended } = start(
        async (text, attempt) => {
          if (!text.startsWith('poison')) return await decide(text, attempt);
          server.channel.kill();
          return await new Promise<never>(() => undefined);
        },
        { maxInterruptions: 4 },
        server,
      );
      await vi.advanceTimersByTimeAsync(21_000);
      stop.abort();
      if (server.acknowledged.length === count) await ended;
    }
    return lives;
  }
  const listDead = ({ published }: FakeServer): unknown =>
    published.map(([, , text, options]) => ({ text, ...options }));
  const interrupted = (text: string): unknown =>
    expect.objectContaining({ text, headers: { 'x-reason': 'interrupted' } });

  test('is given again if the channel ends before its beginning is recorded', async () => {
    const { server, stop, ended } = start(() => done);
    server.confirmsMarks = false;
    server.queueOf(main).push({ text: 'gull 1', redelivered: true });
    server.channel.give();
    await expect.poll(() => server.queueOf(`${main}.begun`)).toHaveLength(1);
    expect(server.acknowledged).toEqual([]);
    server.confirmsMarks = true;
    await server.channel.close();
    await expect.poll(() => server.acknowledged).toEqual(['gull 1']);
    stop.abort();
    await ended;
  });

  test('is dead at last, and none that was held beside it', async () => {
    const server = new FakeServer();
    server.put('gull 1', 'tern 1', 'poison 1', 'poison 2', 'gull 2', 'auk 1', 'tern 2');
    expect(await restart(server, () => done)).toBe(10);
    expect(listDead(server)).toEqual([interrupted('poison 1'), interrupted('poison 2')]);
    expect(server.acknowledged).toHaveLength(7);
  });

  test('is found behind one whose handler fails', async () => {
    const server = new FakeServer();
    server.put('gull 1', 'poison 1', 'tern 1');
    const fails = (text: string, attempt: number): boolean => text === 'gull 1' && attempt < 3;
    await restart(server, (...call) => (fails(...call) ? again(20) : done));
    expect(listDead(server)).toContainEqual(interrupted('poison 1'));
    expect(listDead(server)).not.toContainEqual(interrupted('tern 1'));
  });

  test('is not dead in processes that end soon for another reason', async () => {
    const server = new FakeServer();
    server.put('gull 1', 'tern 1');
    for (let life = 0; life < 10; life++) {
      const options = { maxInterruptions: 4 };
      start(async () => await new Promise<never>(() => undefined), options, server);
      await vi.advanceTimersByTimeAsync(10_000);
      server.channel.kill();
    }
    expect(server.waiting).toHaveLength(2);
    expect(server.published).toEqual([]);
  });
});
