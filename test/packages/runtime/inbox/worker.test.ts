import { EventEmitter, once } from 'node:events';
import { expect, test, vi } from 'vitest';
import {
  createInbox,
  createWorker,
  InboxError,
  type FailedEvent,
  type InboxStore,
} from '@countersign/runtime/inbox';
import { commit } from '@countersign/runtime/inbox/sqlite';
import { openSqlite } from './sqlite/sqlite-harness.ts';
import { claim, receipt } from './store-harness.ts';

const immediately = { firstDelayMs: 0, attempts: 3 };

test('handlers run in order for each key, and in parallel for different keys', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  for (const number of [1, 2, 3])
    await store.receive(
      receipt({ orderKey: 'a', kind: `a${number}` }, { orderKey: 'b', kind: `b${number}` }),
    );
  const ended = Promise.withResolvers<void>();
  const bothKeys = Promise.withResolvers<void>();
  const started: string[] = [];
  let running = 0;
  const worker = createWorker({
    store,
    handle: async ({ kind = '' }) => {
      started.push(kind);
      running += 1;
      if (running === 2) bothKeys.resolve();
      await bothKeys.promise;
      running -= 1;
      if (started.length === 6) ended.resolve();
    },
  });
  await ended.promise;
  await worker.close();
  expect(started.filter((kind) => kind.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
  expect(started.filter((kind) => kind.startsWith('b'))).toEqual(['b1', 'b2', 'b3']);
  expect((await store.stats()).byState.done).toBe(6);
});

test('at most `concurrency` handlers run at the same time', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  await store.receive(receipt(...Array.from({ length: 9 }, () => ({}))));
  const ended = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  let handled = 0;
  const worker = createWorker({
    store,
    concurrency: 3,
    handle: async () => {
      running += 1;
      most = Math.max(most, running);
      await store.stats();
      running -= 1;
      handled += 1;
      if (handled === 9) ended.resolve();
    },
  });
  await ended.promise;
  await worker.close();
  expect(most).toBe(3);
});

test('a failed event is tried again, and its effect happens once', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  await store.receive(receipt({}));
  const ended = Promise.withResolvers<void>();
  const attempts: number[] = [];
  const worker = createWorker({
    store,
    retry: immediately,
    clock: () => harness.clock.now,
    handle: async (_, { attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error('not yet');
      return commit((database) => {
        database.prepare("INSERT INTO effects (value) VALUES ('row')").run();
        if (attempt === 2) throw new Error('not yet');
        ended.resolve();
      });
    },
  });
  await ended.promise;
  await worker.close();
  expect(attempts).toEqual([1, 2, 3]);
  expect(await harness.effects()).toEqual(['row']);
  expect(await store.list({ state: 'done' })).toMatchObject({
    events: [{ attempts: 2, error: 'Error' }],
  });
});

test.each([
  {
    name: 'an error',
    handle: async () => {
      throw Object.assign(new Error('refused'), { code: 'E_REFUSED' });
    },
    error: 'Error [E_REFUSED]',
  },
  {
    name: 'a value that is not an Error',
    // oxlint-disable-next-line prefer-promise-reject-errors -- the test is about such handlers
    handle: async () => await Promise.reject('secret'),
    error: 'The handler threw a value that is not an Error',
  },
  {
    name: 'an attempt that takes too long',
    handle: async () => await new Promise<never>(() => undefined),
    error: 'TimeLimitError',
  },
  {
    name: 'a promise in the transaction',
    handle: async () =>
      commit(async (database) => {
        database.prepare("INSERT INTO effects (value) VALUES ('row')").run();
        throw new Error('rejected');
      }),
    error: 'InboxError [promise-in-transaction]',
  },
])('$name makes a dead letter after the last attempt', async ({ handle, error }) => {
  await using harness = await openSqlite();
  const { store } = harness;
  await store.receive(receipt({ kind: 'a1', orderKey: 'a' }, { kind: 'a2', orderKey: 'a' }));
  const buried = Promise.withResolvers<FailedEvent>();
  const worker = createWorker({
    store,
    retry: immediately,
    clock: () => harness.clock.now,
    attemptTimeoutMs: 20,
    handle,
    onDeadLetter: buried.resolve,
  });
  expect((await buried.promise).event.kind).toBe('a1');
  await worker.close();
  expect((await store.list()).events).toMatchObject([
    { kind: 'a1', state: 'dead', attempts: 3, error },
    { kind: 'a2', state: 'waiting', attempts: 0 },
  ]);
  expect(await harness.effects()).toEqual([]);
});

test('`onEvent` gets the end of each attempt, and can fail itself', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  await store.receive(
    receipt({ kind: 'docked', orderKey: 'a' }, { kind: 'sailed', orderKey: 'a' }),
  );
  const ends: unknown[][] = [];
  const reports: unknown[] = [];
  const handled = Promise.withResolvers<void>();
  const worker = createWorker({
    store,
    retry: immediately,
    clock: () => harness.clock.now,
    handle: ({ kind }, { attempt }) => {
      if (kind === 'docked') throw new Error(`attempt ${attempt}`);
      handled.resolve();
    },
    onEvent: ({ event, attempt, outcome, error }) => {
      ends.push([event.kind, attempt, outcome, String(error)]);
      throw new Error('the log is full');
    },
    onDeadLetter: () => undefined,
    afterDeadLetter: 'skip',
    onError: (error) => reports.push(error),
  });
  await handled.promise;
  await worker.close();
  expect(ends).toEqual([
    ['docked', 1, 'failed', 'Error: attempt 1'],
    ['docked', 2, 'failed', 'Error: attempt 2'],
    ['docked', 3, 'dead', 'Error: attempt 3'],
    ['sailed', 1, 'handled', 'undefined'],
  ]);
  expect(reports).toEqual(ends.map(() => new Error('the log is full')));
});

test('an `onEvent` that never ends keeps no handler and no stop waiting', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  await store.receive(receipt({}, {}, {}));
  let observed = 0;
  const all = Promise.withResolvers<void>();
  const worker = createWorker({
    store,
    concurrency: 1,
    handle: () => undefined,
    onEvent: () => {
      observed += 1;
      if (observed === 3) all.resolve();
      return new Promise(() => {});
    },
  });
  await all.promise;
  await worker.close();
  expect((await store.stats()).byState).toMatchObject({ done: 3 });
});

test('an `onEvent` that rejects is reported', async () => {
  await using harness = await openSqlite();
  await harness.store.receive(receipt({}));
  const reported = Promise.withResolvers<unknown>();
  const worker = createWorker({
    store: harness.store,
    handle: () => undefined,
    onEvent: () => Promise.reject(new Error('the log is full')),
    onError: reported.resolve,
  });
  expect(await reported.promise).toEqual(new Error('the log is full'));
  await worker.close();
});

test('`describeError` decides what is stored about an error', async () => {
  await using harness = await openSqlite();
  await harness.store.receive(receipt({}));
  const buried = Promise.withResolvers<unknown>();
  const worker = createWorker({
    store: harness.store,
    retry: { attempts: 1 },
    describeError: () => 'x'.repeat(2000),
    handle: async () => {
      throw new Error('a name and an address');
    },
    onDeadLetter: buried.resolve,
  });
  await buried.promise;
  await worker.close();
  expect((await harness.store.list()).events[0]?.error).toBe('x'.repeat(1000));
});

test('a stop waits for running handlers, and leaves the others in the queue', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  await store.receive(receipt({}, {}, {}));
  const emitter = new EventEmitter();
  const started = once(emitter, 'started');
  const worker = createWorker({
    store,
    concurrency: 1,
    handle: async () => {
      emitter.emit('started');
      await once(emitter, 'finish');
    },
  });
  await started;
  const stopping = worker.close();
  expect((await worker.readiness()).ready).toBe(false);
  emitter.emit('finish');
  await stopping;
  expect((await store.stats()).byState).toMatchObject({ done: 1, ready: 2, working: 0 });
});

test('a stop without grace gives running events back, without an attempt', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  await store.receive(receipt({ orderKey: 'a' }));
  const started = Promise.withResolvers<AbortSignal>();
  const worker = createWorker({
    store,
    handle: async (_, { signal }) => {
      started.resolve(signal);
      await new Promise(() => undefined);
    },
  });
  const signal = await started.promise;
  await worker.close({ graceMs: 0 });
  expect(signal.aborted).toBe(true);
  expect((await store.list()).events).toMatchObject([
    { state: 'ready', attempts: 0, interruptions: 0 },
  ]);
});

test('readiness is that of the process; the age of the queue and blocked keys are other figures', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  const inbox = createInbox({ store, clock: () => clock.now });
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const worker = createWorker({
    store,
    leaseMs: 30_000,
    handle: async () => {
      started.resolve();
      await finish.promise;
    },
  });
  await inbox.receive({
    method: 'POST',
    target: '/',
    headers: [],
    body: Buffer.of(),
    events: [{}],
  });
  await started.promise;
  clock.now += 500_000;
  const report = { ready: true, backlog: 1, oldestAgeMs: 500_000, blockedKeys: 0, deadLetters: 0 };
  expect(await worker.readiness()).toEqual(report);
  finish.resolve();
  await worker.close();
  await store.close();
  expect(await worker.readiness()).toMatchObject({ ready: false, backlog: undefined });
});

test('a worker whose claims fail is not ready', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  const failed = Promise.withResolvers<unknown>();
  const broken = { ...store, claim: async () => await Promise.reject(new Error('broken')) };
  const worker = createWorker({ store: broken, handle: () => undefined, onError: failed.resolve });
  await failed.promise;
  expect(await worker.readiness()).toMatchObject({ ready: false, backlog: 0 });
  await worker.close();
});

test('a handler whose claim is lost gets its signal aborted, and its effect is not applied', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  await store.receive(receipt({}));
  const started = Promise.withResolvers<AbortSignal>();
  const finish = Promise.withResolvers<void>();
  const worker = createWorker({
    store,
    leaseMs: 30,
    pollIntervalMs: 2 ** 30,
    handle: async (_, { signal }) => {
      started.resolve(signal);
      await finish.promise;
      return commit((database) => {
        database.prepare("INSERT INTO effects (value) VALUES ('late')").run();
      });
    },
  });
  const signal = await started.promise;
  const aborted = once(signal, 'abort');
  const other = harness.another();
  let [taken] = await other.claim({ owner: 'other', maxEvents: 1, leaseMs: 20_000 });
  while (taken === undefined) {
    clock.now += 30;
    [taken] = await other.claim({ owner: 'other', maxEvents: 1, leaseMs: 20_000 });
  }
  await aborted;
  finish.resolve();
  await worker.close();
  expect(await other.complete(taken, harness.effect('once'))).toBe('completed');
  expect(await harness.effects()).toEqual(['once']);
});

test('invalid options are refused', async () => {
  await using harness = await openSqlite();
  const invalid = [
    { concurrency: 0 },
    { concurrency: 1.5 },
    { attemptTimeoutMs: 0 },
    { attemptTimeoutMs: 2 ** 31 },
    { leaseMs: 30_001 },
    { pollIntervalMs: 0 },
    { retry: { attempts: 0 } },
    { retry: { jitter: 2 } },
    { retry: { factor: 0.5 } },
    { kinds: { docked: { concurrency: 0 } } },
    { kinds: { docked: { concurrency: 1.5 } } },
    { kinds: { docked: { attemptTimeoutMs: 0 } } },
    { kinds: { docked: { retry: { attempts: 0 } } } },
    { kinds: { docked: { retry: { jitter: 2 } } } },
    { kinds: { docked: { retry: { factor: 0.5 } } } },
    { kinds: { docked: { retry: { firstDelayMs: 7_200_000 } } } },
    { kinds: { docked: { timeoutMs: 1000 } } },
    { kinds: { docked: { retry: { maxMs: 1000 } } } },
    { retry: { maxMs: 1000 } },
  ];
  for (const options of invalid)
    expect(() =>
      createWorker({ store: harness.store, handle: async () => undefined, ...options }),
    ).toThrow(expect.objectContaining({ code: 'invalid-option' }));
});

test('the error of an unknown option names the options that there are', async () => {
  await using harness = await openSqlite();
  const work = (options: object): void =>
    void createWorker({ store: harness.store, handle: async () => undefined, ...options });
  expect(() => work({ retry: { maxMs: 1000 } })).toThrow(
    '`retry` has no option `maxMs`. Its options are `attempts`, `firstDelayMs`, `factor`, `maxDelayMs`, `jitter`',
  );
  expect(() => work({ kinds: { docked: { timeoutMs: 1000 } } })).toThrow(
    '`kinds.docked` has no option `timeoutMs`. Its options are `concurrency`, `attemptTimeoutMs`, `retry`',
  );
});

test('failures without a listener are reported as process warnings, without messages', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  await using harness = await openSqlite();
  const { store } = harness;
  await store.receive(receipt({ kind: 'docked' }));
  let claims = 0;
  const failing = {
    ...store,
    claim: async (request: Parameters<typeof store.claim>[0]) => {
      claims += 1;
      if (claims === 1) throw new RangeError('secret');
      return await store.claim(request);
    },
  };
  const worker = createWorker({
    store: failing,
    retry: { firstDelayMs: 0, attempts: 2 },
    clock: () => harness.clock.now,
    handle: async () => {
      throw Object.assign(new TypeError('secret\n    at secret (file:///x.ts:1:1)'), {
        code: 'E1',
      });
    },
  });
  await expect.poll(() => warn.mock.calls).toHaveLength(3);
  await worker.close();
  expect(
    warn.mock.calls.map(([text, options]) => [text, (options as { code?: string }).code]),
  ).toEqual([
    ['The worker of an inbox failed: RangeError', 'COUNTERSIGN_WORKER_FAILED'],
    ['A handler failed for docked: TypeError [E1]', 'COUNTERSIGN_HANDLER_FAILED'],
    ['A handler failed for the last time for docked: TypeError [E1]', 'COUNTERSIGN_DEAD_LETTER'],
  ]);
  expect(JSON.stringify(warn.mock.calls)).not.toContain('secret');
  warn.mockRestore();
});

test.each<readonly [string, () => unknown]>([
  [
    'throws',
    () => {
      throw new TypeError('secret');
    },
  ],
  ['rejects', async () => await Promise.reject(new TypeError('secret'))],
])(
  'an `onError` that %s ends no worker, and is reported with what it did not hear',
  async (_how, onError) => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    await using harness = await openSqlite();
    const { store } = harness;
    await store.receive(receipt({}));
    let claims = 0;
    const handled = Promise.withResolvers<void>();
    const worker = createWorker({
      store: {
        ...store,
        claim: async (request: Parameters<typeof store.claim>[0]) => {
          claims += 1;
          if (claims === 1) throw new RangeError('secret');
          return await store.claim(request);
        },
      },
      handle: async () => handled.resolve(),
      onError,
    });
    await handled.promise;
    await worker.close();
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      '`onError` failed: TypeError',
      'The worker of an inbox failed: RangeError',
    ]);
    warn.mockRestore();
  },
);

test.each([
  { fails: 'complete', outcome: { released: 1, recorded: 0 } },
  { fails: 'fail', outcome: { released: 0, recorded: 1 } },
] as const)(
  'after the store has failed to $fails, nothing is claimed for a second, whatever arrives',
  async ({ fails, outcome }) => {
    await using harness = await openSqlite();
    await harness.store.receive(receipt({}));
    const [held] = await claim(harness.store);
    if (held === undefined) throw new Error('expected a claim');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const calls = { claims: 0, released: 0, recorded: 0, handled: 0 };
    const failure = new InboxError('store-failed', 'the disk is full');
    let listener = (): void => undefined;
    const store: InboxStore<object, undefined> = {
      ...(harness.store as InboxStore<object, undefined>),
      claim: async () => {
        calls.claims += 1;
        return calls.claims === 1 ? [held] : [];
      },
      complete: async (_, handle) => {
        await handle({});
        throw failure;
      },
      fail: async () => {
        calls.recorded += 1;
        throw failure;
      },
      release: async () => {
        calls.released += 1;
      },
      onStored: (onEvent) => {
        listener = onEvent;
        return () => undefined;
      },
    };
    const errors: unknown[] = [];
    const worker = createWorker({
      store,
      handle: async () => {
        calls.handled += 1;
        if (fails === 'fail') throw new Error('refused');
        return undefined;
      },
      onError: (error) => errors.push(error),
    });
    try {
      await vi.advanceTimersByTimeAsync(0);
      for (let count = 0; count < 99; count += 1) {
        listener();
        await vi.advanceTimersByTimeAsync(10);
      }
      expect(calls).toEqual({ claims: 1, handled: 1, ...outcome });
      await vi.advanceTimersByTimeAsync(10);
      expect(calls.claims).toBeGreaterThan(1);
      expect(errors).toEqual([failure]);
    } finally {
      vi.useRealTimers();
      await worker.close();
    }
  },
);

test.each(['fail', 'bury', 'release'] as const)(
  'what the store fails to record by `%s` is recorded when it works again',
  async (records) => {
    await using harness = await openSqlite();
    await harness.store.receive(receipt({}));
    const [held] = await claim(harness.store);
    if (held === undefined) throw new Error('expected a claim');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const failure = new InboxError('store-failed', 'the server restarts');
    const calls: string[] = [];
    let works = false;
    let answers = false;
    const record = (name: string): void => {
      calls.push(name);
      if (!works) throw failure;
    };
    const claims = [held];
    const store: InboxStore<object, undefined> = {
      ...(harness.store as InboxStore<object, undefined>),
      claim: async () => claims.splice(0),
      extend: async () => [],
      hasInterrupted: async () => {
        if (!answers) throw failure;
        return false;
      },
      complete: async (_, handle) => {
        if (records === 'release') throw failure;
        await handle({});
        return 'completed';
      },
      fail: async () => {
        record('fail');
        return 'recorded';
      },
      bury: async () => {
        record('bury');
        return 'recorded';
      },
      release: async () => record('release'),
    };
    const errors: unknown[] = [];
    const failed: string[] = [];
    const worker = createWorker({
      store,
      leaseMs: 5000,
      isPermanent: () => records === 'bury',
      handle: async () => {
        throw new Error('refused');
      },
      onEvent: ({ outcome }) => {
        if (outcome === 'failed') failed.push(outcome);
      },
      onError: (error) => errors.push(error),
    });
    try {
      await vi.advanceTimersByTimeAsync(2000);
      expect(calls).toEqual([records, records, records]);
      works = true;
      await vi.advanceTimersByTimeAsync(1000);
      expect(calls).toHaveLength(4);
      expect(failed).toHaveLength(records === 'fail' ? 1 : 0);
      expect(errors).toEqual(records === 'release' ? [failure, failure] : [failure]);
      // A lease that has ended is not held up by an event that cannot be recorded.
      works = false;
      claims.push(held);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(calls).toHaveLength(4 + 6);
      // A store that answers otherwise fails for this event alone, and others wait for it no longer.
      answers = true;
      claims.push(held);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(calls).toHaveLength(4 + 6 + 3);
      answers = false;
      // A stop does not wait for it: it tries once more.
      claims.push(held);
      await vi.advanceTimersByTimeAsync(1000);
      const before = calls.length;
      await worker.close();
      expect(calls.length).toBe(before + 1);
    } finally {
      vi.useRealTimers();
      await worker.close();
    }
  },
);

test('a worker renews its claims after the store was away, before a claim ends their leases', async () => {
  await using harness = await openSqlite();
  await harness.store.receive(receipt({}));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let away = false;
  const calls: string[] = [];
  const call = (name: string): void => {
    if (away) throw new InboxError('store-failed', 'the server restarts');
    calls.push(name);
  };
  const worker = createWorker({
    store: {
      ...harness.store,
      claim: async (request) => {
        call('claim');
        return await harness.store.claim(request);
      },
      extend: async (claims, leaseMs) => {
        call('extend');
        return await harness.store.extend(claims, leaseMs);
      },
    },
    handle: (_, { signal }) => once(signal, 'abort'),
    onError: () => undefined,
  });
  try {
    await expect
      .poll(async () => {
        await vi.advanceTimersByTimeAsync(100);
        return (await harness.store.stats()).byState.working;
      })
      .toBe(1);
    away = true;
    await vi.advanceTimersByTimeAsync(25_000);
    harness.clock.now += 25_000;
    away = false;
    calls.length = 0;
    await vi.advanceTimersByTimeAsync(2000);
    await vi.waitUntil(async () => {
      await vi.advanceTimersByTimeAsync(100);
      return calls.includes('claim');
    });
    expect(calls[0]).toBe('extend');
    expect((await harness.store.stats()).interruptions).toBe(0);
  } finally {
    vi.useRealTimers();
    await worker.close({ graceMs: 0 });
  }
});

test('handlers that end one after another share a claim, which takes at most half of the time', async () => {
  await using harness = await openSqlite();
  await harness.store.receive(receipt(...Array.from({ length: 8 }, () => ({}))));
  const held = [...(await claim(harness.store, 8))];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const limits: number[] = [];
  const finish: (() => void)[] = [];
  const store: InboxStore<object, undefined> = {
    ...(harness.store as InboxStore<object, undefined>),
    claim: async ({ maxEvents: limit }) => {
      limits.push(limit);
      // A claim of this store takes 20 ms.
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 20);
      await promise;
      return held.splice(0, limit);
    },
    complete: async (_, handle) => {
      await handle({});
      return 'completed';
    },
    release: async () => undefined,
  };
  const worker = createWorker({
    store,
    concurrency: 8,
    pollIntervalMs: 1000,
    handle: async () => {
      await new Promise<void>((resolve) => finish.push(resolve));
      return undefined;
    },
  });
  const endOne = async (): Promise<void> => {
    finish.shift()?.();
    await vi.advanceTimersByTimeAsync(1);
  };
  try {
    await vi.advanceTimersByTimeAsync(20);
    expect([limits, finish.length]).toEqual([[8], 8]);
    for (let ended = 0; ended < 3; ended += 1) await endOne();
    expect(limits).toEqual([8]);
    // They wait no longer than the last claim took.
    await vi.advanceTimersByTimeAsync(20);
    expect(limits).toEqual([8, 3]);
    await vi.advanceTimersByTimeAsync(20);
    // Half of the handlers are free.
    await endOne();
    expect(limits).toEqual([8, 3, 4]);
  } finally {
    for (const resolve of finish) resolve();
    const stopping = worker.close();
    await vi.advanceTimersByTimeAsync(20);
    vi.useRealTimers();
    await stopping;
  }
});

test('an `isPermanent` that throws is reported, and the attempt counts', async () => {
  await using harness = await openSqlite();
  await harness.store.receive(receipt({}));
  const reports: unknown[] = [];
  const buried = Promise.withResolvers<FailedEvent>();
  const worker = createWorker({
    store: harness.store,
    retry: immediately,
    clock: () => harness.clock.now,
    handle: async () => {
      throw new Error('refused');
    },
    isPermanent: () => {
      throw new RangeError('wrong');
    },
    onEvent: () => undefined,
    onDeadLetter: buried.resolve,
    onError: (error) => reports.push(error),
  });
  await buried.promise;
  await worker.close();
  expect((await harness.store.list()).events).toMatchObject([{ state: 'dead', attempts: 3 }]);
  // The last attempt makes a dead letter, whatever the error is.
  expect(reports).toEqual([new RangeError('wrong'), new RangeError('wrong')]);
});

test('healthy events do not wait behind the first attempts of a kind that fails', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  for (let index = 0; index < 40; index++) await store.receive(receipt({ kind: 'slow' }));
  for (let index = 0; index < 5; index++) await store.receive(receipt({ kind: 'healthy' }));
  const ended = Promise.withResolvers<void>();
  let failed = 0;
  let handled = 0;
  const worker = createWorker({
    store,
    concurrency: 4,
    retry: { firstDelayMs: 60_000 },
    onEvent: () => undefined,
    handle: async ({ kind }) => {
      if (kind === 'slow') {
        await new Promise((resolve) => setTimeout(resolve, 20));
        failed += 1;
        throw new Error('not now');
      }
      handled += 1;
      if (handled === 5) ended.resolve();
    },
  });
  await ended.promise;
  expect(failed).toBeLessThan(12);
  await worker.close({ graceMs: 0 });
});
