import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createConsumer,
  type Consumer,
  type ConsumerRecord,
} from '../../../../packages/runtime/webhooks/consumer.ts';
import {
  createMemoryReplayStore,
  createReceiver,
  unauthenticated,
  type Catalogue,
  type CommonStoringOptions,
  type ReplayStore,
  type StoredDelivery,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { serialize } from '../../../../packages/runtime/webhooks/serialize.ts';
import type { StoredContext } from '../../../../packages/runtime/webhooks/stored-events.ts';
import { orderedKinds } from './ordered-kinds.ts';

type Options = Parameters<typeof createConsumer>[1];

const gull = '{"id":"gull","state":1}';
const ships = (...ids: readonly string[]) =>
  JSON.stringify({ ships: ids.map((id) => ({ id, state: 1 })) });
const first = { headers: { 'x-delivery': 'D1' } };

/** Returns what a receiver forwards for a request. */
async function forwardOf(
  body: string | Uint8Array,
  { target = '/docked', headers = {} }: { target?: string; headers?: object } = {},
  options: Partial<CommonStoringOptions<never>> = {},
  catalogue: Catalogue = orderedKinds,
): Promise<StoredDelivery> {
  const forwarded: StoredDelivery[] = [];
  const receive = createReceiver(catalogue, {
    authenticate: unauthenticated(),
    forward: async (delivery) => void forwarded.push(delivery),
    ...options,
  });
  const values = new Map<string, string>(Object.entries(headers));
  await receive({
    method: 'POST',
    target,
    headers: (name) => [values.get(name) ?? []].flat(),
    read: () => Buffer.from(body),
  });
  return forwarded[0] as StoredDelivery;
}

interface Setup {
  readonly consume: Consumer['consume'];
  readonly calls: string[];
  readonly contexts: StoredContext[];
  readonly records: ConsumerRecord[];
}

/** Makes a consumer that records the calls of its handlers. */
function setUp(options: Partial<Options> = {}, catalogue: Catalogue = orderedKinds): Setup {
  const calls: string[] = [];
  const contexts: StoredContext[] = [];
  const records: ConsumerRecord[] = [];
  const handle = (
    { kind, data }: { kind: string; data: { id: string } },
    context: StoredContext,
  ) => {
    calls.push(`${kind} ${data.id}`);
    contexts.push(context);
  };
  const { consume } = createConsumer(catalogue, {
    on: { docked: handle, sailed: handle },
    otherwise: (_event, context) => {
      calls.push('otherwise');
      contexts.push(context);
    },
    onInvalid: () => undefined,
    onEvent: (record) => records.push(record),
    random: () => 0,
    ...options,
  });
  return { consume, calls, contexts, records };
}

const done = { outcome: 'done' };

describe('a consumer', () => {
  test('calls the handler of the kind, from the text or from the delivery', async () => {
    const { consume, calls, contexts, records } = setUp();
    const delivery = await forwardOf(gull, first);
    expect(await consume(serialize(delivery), 2)).toEqual(done);
    expect(await consume(await forwardOf(gull.replace('gull', 'tern')), 1)).toEqual(done);
    expect(calls).toEqual(['docked gull', 'docked tern']);
    expect(contexts[0]).toMatchObject({
      id: delivery.id,
      attempt: 2,
      orderKey: 'test gull',
      index: 0,
      count: 1,
      receivedAt: new Date(delivery.receivedAt),
    });
    expect(contexts[0]?.headers('x-delivery')).toEqual(['D1']);
    expect(contexts[0]?.signal.aborted).toBe(false);
    expect(records[0]).toEqual({
      id: delivery.id,
      kinds: ['docked'],
      attempt: 2,
      decision: done,
      durationMs: expect.any(Number),
    });
  });

  test('gives an event the same id in all attempts, and in a repetition', async () => {
    let fails = true;
    const ids: string[] = [];
    const docked = (_event: unknown, { id }: StoredContext): void => {
      ids.push(id);
      if (fails) throw new Error('not now');
    };
    const { consume } = setUp({ on: { docked, sailed: docked } });
    const text = serialize(await forwardOf(gull, first));
    expect(await consume(text, 1)).toEqual({
      outcome: 'retry',
      afterMs: 1000,
      reason: 'handler-failed',
    });
    fails = false;
    expect(await consume(text, 2)).toEqual(done);
    expect(await consume(serialize(await forwardOf(gull, first)), 1)).toEqual(done);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  test('handles each event of a delivery once, with an id of its own, also after a failure', async () => {
    const failing = new Set(['tern']);
    const handled: string[] = [];
    const docked = ({ data }: { data: { id: string } }, { id, orderKey }: StoredContext): void => {
      if (failing.delete(data.id)) throw new Error('not now');
      handled.push(`${data.id} ${id} ${orderKey}`);
    };
    const { consume } = setUp({ on: { docked, sailed: docked } });
    const delivery = await forwardOf(ships('gull', 'tern', 'auk'));
    const text = serialize(delivery);
    expect(await consume(text, 1)).toMatchObject({ outcome: 'retry' });
    expect(await consume(text, 2)).toEqual(done);
    expect(await consume(text, 3)).toEqual(done);
    expect(handled).toEqual(
      ['gull', 'tern', 'auk'].map((id, index) => `${id} ${delivery.id}-${index} test ${id}`),
    );
  });

  test('handles an event once that two deliveries contain, where its identity is stated', async () => {
    const identifyBy = ({ data }: { data: { id: string } }) => data.id;
    const { consume, calls, contexts } = setUp();
    const options = { identifyBy } as never;
    await consume(serialize(await forwardOf(ships('gull', 'tern'), {}, options)), 1);
    await consume(serialize(await forwardOf(ships('tern', 'auk'), {}, options)), 1);
    expect(calls).toEqual(['docked gull', 'docked tern', 'docked auk']);
    expect(new Set(contexts.map(({ id }) => id)).size).toBe(3);
  });

  test('handles equal deliveries each where nothing states that they are the same', async () => {
    const { consume, calls } = setUp();
    for (let sent = 0; sent < 2; sent++) await consume(serialize(await forwardOf(gull)), 1);
    expect(calls).toEqual(['docked gull', 'docked gull']);
  });

  /** A contract that does not know the kinds of its labels yet. */
  const older: Catalogue = { ...orderedKinds, routes: [] };

  test('identifies what the receiver could not, and handles it once with the id of the delivery', async () => {
    let fails = true;
    const ids: string[] = [];
    const docked = (_event: unknown, { id, orderKey }: StoredContext): void => {
      ids.push(`${id} ${orderKey}`);
      if (fails) throw new Error('not now');
    };
    const { consume } = setUp({ on: { docked, sailed: docked } });
    const delivery = await forwardOf(gull, first, {}, older);
    expect(delivery.events).toEqual([{ id: delivery.id }]);
    const text = serialize(delivery);
    expect(await consume(text, 1)).toMatchObject({ outcome: 'retry' });
    fails = false;
    expect(await consume(text, 2)).toEqual(done);
    expect(await consume(text, 3)).toEqual(done);
    // Another delivery of the same event, which only this contract knows to be the same.
    expect(await consume(serialize(await forwardOf(gull, first, {}, older)), 1)).toEqual(done);
    expect(ids).toEqual([`${delivery.id} test gull`, `${delivery.id} test gull`]);
  });

  test('finds several events in what its receiver took for one', async () => {
    const { consume, calls, contexts } = setUp();
    const withoutForms: Catalogue = { ...older, forms: new Map(), formOf: older.kindOf };
    const delivery = await forwardOf(ships('gull', 'tern'), {}, {}, withoutForms);
    expect(delivery.events).toHaveLength(1);
    expect(await consume(serialize(delivery), 1)).toEqual(done);
    expect(calls).toEqual(['docked gull', 'docked tern']);
    expect(contexts.map(({ id }) => id)).toEqual([`${delivery.id}-0`, `${delivery.id}-1`]);
  });

  test('handles one of the events that it finds with the identity of their delivery', async () => {
    const { consume, calls } = setUp();
    const accepts = { accepts: () => true, violations: () => [] };
    const withoutForms: Catalogue = {
      ...orderedKinds,
      kinds: new Map(
        [...orderedKinds.kinds].map(([name, kind]) => [name, { ...kind, check: accepts }]),
      ),
      forms: new Map(),
      formOf: older.kindOf,
    };
    // The identity of both events is the header, as it is of the one that the receiver took them for.
    const text = serialize(await forwardOf(ships('gull', 'tern'), first, {}, withoutForms));
    expect(await consume(text, 1)).toEqual(done);
    expect(await consume(text, 2)).toEqual(done);
    expect(calls).toEqual(['docked gull']);
  });

  test('buries a delivery whose number of events the contract has changed', async () => {
    const { consume } = setUp();
    const { events, ...delivery } = await forwardOf(ships('gull', 'tern'));
    expect(await consume({ ...delivery, events: [...events, ...events] }, 1)).toEqual({
      outcome: 'dead',
      reason: 'changed-events',
    });
  });

  test.each([
    ['nothing', undefined, { outcome: 'dead', reason: 'invalid-delivery' }],
    ['accept', 'accept', done],
  ])('asks `onInvalid`, which returns %s', async (_what, answer, decision) => {
    const seen: object[] = [];
    const onInvalid = (delivery: object, { id }: StoredContext): unknown => {
      seen.push({ ...delivery, id });
      return answer;
    };
    const { consume, records } = setUp({ onInvalid: onInvalid as never });
    const delivery = await forwardOf('{"id":"gull"}');
    expect(await consume(serialize(delivery), 1)).toEqual(decision);
    expect(seen).toMatchObject([{ reason: 'schema', kinds: ['docked'], id: delivery.id }]);
    expect(JSON.stringify(records)).not.toContain('gull');
  });

  test('handles the valid events of an invalid delivery where `onInvalid` says so', async () => {
    const { consume, calls, contexts } = setUp({ onInvalid: () => 'dispatch-valid' });
    const body = '{"ships":[{"id":"gull","state":1},{"id":"tern"},{"id":"auk","state":3}]}';
    const delivery = await forwardOf(body);
    expect(await consume(serialize(delivery), 1)).toEqual(done);
    expect(calls).toEqual(['docked gull', 'docked auk']);
    expect(contexts.map(({ id }) => id)).toEqual([`${delivery.id}-0`, `${delivery.id}-2`]);
  });

  test('ends with the last attempt, and at once for an error that stays', async () => {
    const docked = (): never => {
      throw new RangeError('no account');
    };
    const on = { docked, sailed: docked };
    const text = serialize(await forwardOf(gull));
    const { consume } = setUp({ on, retry: { attempts: 2, firstDelayMs: 7, jitter: 0 } });
    expect(await consume(text, 1)).toEqual({
      outcome: 'retry',
      afterMs: 7,
      reason: 'handler-failed',
    });
    const dead = { outcome: 'dead', reason: 'handler-failed' };
    expect(await consume(text, 2)).toEqual(dead);
    const isPermanent = (error: unknown): boolean => error instanceof RangeError;
    expect(await setUp({ on, isPermanent }).consume(text, 1)).toEqual(dead);
  });

  test.each([
    [
      'retryAt',
      ({ retryAt }: StoredContext) => retryAt(new Date(6000), 'the bank is closed'),
      { outcome: 'retry', afterMs: 5000, reason: 'the bank is closed' },
    ],
    [
      'retryAt in the past',
      ({ retryAt }: StoredContext) => retryAt(new Date(1), 'again'),
      { outcome: 'retry', afterMs: 0, reason: 'again' },
    ],
    [
      'deadLetter',
      ({ deadLetter }: StoredContext) => deadLetter('no such account'),
      { outcome: 'dead', reason: 'no such account' },
    ],
    [
      'deadLetter, and catches what it throws',
      ({ deadLetter }: StoredContext) => {
        try {
          deadLetter('no such account');
        } catch {
          // It continues.
        }
      },
      { outcome: 'dead', reason: 'no such account' },
    ],
    [
      'deadLetter without a reason',
      ({ deadLetter }: StoredContext) => deadLetter(' '),
      { outcome: 'retry', afterMs: 1000, reason: 'handler-failed' },
    ],
  ])('takes the decision of a handler: %s', async (_what, decide, decision) => {
    const docked = (_event: unknown, context: StoredContext): void => decide(context);
    const { consume } = setUp({ on: { docked, sailed: docked }, clock: () => 1000 });
    expect(await consume(serialize(await forwardOf(gull)), 1)).toEqual(decision);
  });

  test('makes no attempt after the last one, also where its handler wants it', async () => {
    const docked = (_event: unknown, { retryAt }: StoredContext): never =>
      retryAt(new Date(), 'the bank is closed');
    const { consume } = setUp({ on: { docked, sailed: docked }, retry: { attempts: 1 } });
    expect(await consume(serialize(await forwardOf(gull)), 1)).toEqual({
      outcome: 'dead',
      reason: 'the bank is closed',
    });
  });

  test('does not wait longer than its time limit, and lets no other attempt begin meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const aborted: boolean[] = [];
    let calls = 0;
    const docked = async (_event: unknown, { signal }: StoredContext): Promise<void> => {
      calls += 1;
      await promise;
      aborted.push(signal.aborted);
    };
    const { consume } = setUp({ on: { docked, sailed: docked }, attemptTimeoutMs: 20 });
    const text = serialize(await forwardOf(gull));
    expect(await consume(text, 1)).toMatchObject({ outcome: 'retry', reason: 'out-of-time' });
    expect(await consume(text, 2)).toEqual({
      outcome: 'retry',
      afterMs: 5000,
      reason: 'in-progress',
    });
    resolve();
    await expect.poll(() => aborted).toEqual([true]);
    // What was late has succeeded, and is not repeated.
    await expect.poll(async () => await consume(text, 3)).toEqual(done);
    expect(calls).toBe(1);
  });

  test('starts no further event after its time is over', async () => {
    const seen: string[] = [];
    const docked = async ({ data }: { data: { id: string } }): Promise<void> => {
      seen.push(data.id);
      await sleep(40);
    };
    const { consume } = setUp({ on: { docked, sailed: docked }, attemptTimeoutMs: 10 });
    const text = serialize(await forwardOf(ships('gull', 'tern')));
    expect(await consume(text, 1)).toMatchObject({ reason: 'out-of-time' });
    await sleep(80);
    expect(seen).toEqual(['gull']);
  });

  test('gives a delivery back when it is stopped, without an end of attempts', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const docked = async (): Promise<void> => await promise;
    const { consume } = setUp({ on: { docked, sailed: docked }, retry: { attempts: 1 } });
    const stop = new AbortController();
    const stopped = { outcome: 'retry', afterMs: 0, reason: 'stopped' };
    const consuming = consume(serialize(await forwardOf(gull)), 1, stop.signal);
    stop.abort();
    expect(await consuming).toEqual(stopped);
    resolve();
    expect(await consume(serialize(await forwardOf(gull)), 1, stop.signal)).toEqual(stopped);
  });

  test.each([
    ['fails', () => Promise.reject(new Error('no connection'))],
    ['returns something else', () => Promise.resolve('OK')],
    ['never answers', () => new Promise(() => undefined)],
  ])(
    'gives a delivery back, whatever the attempt, where the replay store %s',
    async (_what, claim) => {
      const replayStore = { ...createMemoryReplayStore(), claim } as unknown as ReplayStore;
      const options = { replayStore, storeTimeoutMs: 20, retry: { attempts: 1 } };
      const { consume, calls, records } = setUp(options);
      expect(await consume(serialize(await forwardOf(gull)), 1)).toEqual({
        outcome: 'retry',
        afterMs: 5000,
        reason: 'store-failed',
      });
      expect(calls).toEqual([]);
      expect(records).toMatchObject([{ error: expect.any(Error) }]);
    },
  );

  test('has handled an event whose handling the replay store does not record', async () => {
    const error = new Error('no connection');
    const confirm = () => Promise.reject(error);
    const replayStore = { ...createMemoryReplayStore(), confirm };
    const { consume, records } = setUp({ replayStore });
    expect(await consume(serialize(await forwardOf(gull)), 1)).toEqual(done);
    expect(records).toMatchObject([{ decision: done, error }]);
  });

  test('releases a claim that succeeded after the time limit', async () => {
    const store = createMemoryReplayStore();
    const { promise, resolve } = Promise.withResolvers<void>();
    let isFirst = true;
    const claim: ReplayStore['claim'] = async (...claimed) => {
      if (isFirst) {
        isFirst = false;
        await promise;
      }
      return await store.claim(...claimed);
    };
    const { consume } = setUp({ replayStore: { ...store, claim }, storeTimeoutMs: 20 });
    const text = serialize(await forwardOf(gull));
    expect(await consume(text, 1)).toMatchObject({ reason: 'store-failed' });
    resolve();
    await expect.poll(async () => await consume(text, 2)).toEqual(done);
  });

  test.each([
    ['that is not JSON', 'id=gull', 'malformed-record'],
    ['of another shape', '{"version":1}', 'malformed-record'],
    ['that is empty', '', 'malformed-record'],
  ])('buries a text %s', async (_what, text, reason) => {
    const { consume, records } = setUp();
    expect(await consume(text, 1)).toEqual({ outcome: 'dead', reason });
    expect(records).toMatchObject([{ id: undefined, kinds: [] }]);
  });

  test('leaves a text of a later version to another consumer, whatever the attempt', async () => {
    const { consume } = setUp({ retry: { attempts: 1 } });
    const text = serialize(await forwardOf(gull)).replace('"version":1', '"version":2');
    expect(await consume(text, 99)).toEqual({
      outcome: 'retry',
      afterMs: 5000,
      reason: 'unknown-version',
    });
  });

  test.each([0, -1, 1.5, Number.NaN])('refuses the attempt %d', async (attempt) => {
    const text = serialize(await forwardOf(gull));
    await expect(setUp().consume(text, attempt)).rejects.toMatchObject({ code: 'invalid-option' });
  });

  test.each([
    ['a handler is missing', { on: {} }],
    ['`attemptTimeoutMs` is out of range', { attemptTimeoutMs: 0 }],
    ['`leaseMs` is not longer than an attempt', { leaseMs: 60_000 }],
    ['`retry` has an unknown option', { retry: { delay: 1 } }],
    ['`isPermanent` is no function', { isPermanent: 'RangeError' }],
  ])('is not created where %s', (_what, options) => {
    expect(() => setUp(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  });
});

describe('without `onEvent`, a consumer', () => {
  afterEach(() => void vi.restoreAllMocks());

  test('warns of each cause once, without data', async () => {
    const emit = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const docked = (): never => {
      throw new RangeError('gull has no account');
    };
    const options = { on: { docked, sailed: docked }, onEvent: undefined as never };
    const { consume } = setUp(options);
    const text = serialize(await forwardOf(gull));
    for (const attempt of [1, 2, 3, 20]) await consume(text, attempt);
    const warnings = emit.mock.calls.map(([message, about]) => [
      String(message),
      (about as { code: string }).code,
    ]);
    expect(warnings).toEqual([
      ['A consumer failed for docked: RangeError', 'COUNTERSIGN_HANDLER_FAILED'],
      ['A consumer failed for the last time for docked: RangeError', 'COUNTERSIGN_DEAD_LETTER'],
    ]);
    expect(JSON.stringify(emit.mock.calls)).not.toContain('gull');
  });

  test('does not warn of what a handler lets come later', async () => {
    const emit = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const docked = (_event: unknown, { retryAt }: StoredContext): never =>
      retryAt(new Date(), 'the bank is closed');
    const { consume } = setUp({ on: { docked, sailed: docked }, onEvent: undefined as never });
    await consume(serialize(await forwardOf(gull)), 1);
    expect(emit).not.toHaveBeenCalled();
  });
});
