import { createInbox, createProbes, createWorker, InboxError } from '@countersign/runtime/inbox';
import { expect, test, vi } from 'vitest';
import { openSqlite } from './sqlite/sqlite-harness.ts';
import { claimOne, receipt } from './store-harness.ts';

test('a worker and a receiver answer with four figures, and are not cached', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  await store.receive(receipt({ orderKey: 'secret-key' }, { orderKey: 'secret-key' }, {}));
  const held = await claimOne(store);
  await store.fail(held, { error: 'secret', at: clock.now + 1000 });
  const worker = createWorker({ store, concurrency: 1, pollIntervalMs: 60_000, handle: hang });
  for (const source of [createInbox({ store }), worker]) {
    const { answer, fetch } = createProbes(source);
    const response = await fetch(new Request('http://127.0.0.1:1/internal/ready?x=1'));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toBe('application/json');
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      ready: true,
      backlog: 1,
      blockedKeys: 1,
      deadLetters: 0,
    });
    expect(Object.keys(JSON.parse(text))).toEqual([
      'ready',
      'backlog',
      'oldestAgeMs',
      'blockedKeys',
      'deadLetters',
      ...(source === worker ? [] : ['lastFailure']),
    ]);
    expect(text).not.toContain('secret');
    expect(await answer('GET', '/live')).toMatchObject({ status: 200, body: '{"live":true}' });
    expect(await answer('HEAD', '/ready')).toMatchObject({ status: 200, body: '' });
    expect(await answer('GET', '/ready/more')).toMatchObject({ status: 404 });
    expect(await answer('POST', '/ready')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD', 'cache-control': 'no-store' },
    });
  }
  await worker.close({ graceMs: 0 });
  expect(await createProbes(worker).answer('GET', '/ready')).toMatchObject({ status: 503 });
});

const delivery = { method: 'POST', target: '/hooks', headers: [], body: new Uint8Array() };

/** A handler that ends when the worker stops. */
async function hang(_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<undefined> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return undefined;
}

test('a store that hangs is 503 in bounded time, called once, and leaves the process alive', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  const stats = vi.spyOn(store, 'stats').mockReturnValue(new Promise(() => undefined));
  const { answer } = createProbes(createInbox({ store }), { timeoutMs: 20 });
  for (let round = 0; round < 2; round += 1)
    for (const { status, body } of await Promise.all([
      answer('GET', '/ready'),
      answer('GET', '/ready'),
    ]))
      expect([status, body]).toEqual([
        503,
        '{"ready":false,"backlog":null,"oldestAgeMs":null,"blockedKeys":null,"deadLetters":null,"lastFailure":null}',
      ]);
  expect(stats).toHaveBeenCalledTimes(1);
  expect(await answer('GET', '/live')).toMatchObject({ status: 200 });
});

test('a store that fails is 503, without its error, and liveness does not call it', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  const stats = vi.spyOn(store, 'stats');
  const { answer } = createProbes(createInbox({ store }));
  expect(await answer('GET', '/live')).toMatchObject({ status: 200 });
  expect(stats).not.toHaveBeenCalled();
  await store.close();
  const { status, body } = await answer('GET', '/ready');
  expect(status).toBe(503);
  expect(body).not.toContain('closed');
});

test('a receiver whose backlog is full is 503 until there is room, and dead letters are counted', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  const inbox = createInbox({ store, maxBacklogEvents: 2, clock: () => clock.now });
  const { answer } = createProbes(inbox);
  const ready = async (): Promise<unknown> => {
    const { status, body } = await answer('GET', '/ready');
    return { status, ...JSON.parse(body) };
  };
  await inbox.receive({ ...delivery, events: [{}] });
  expect(await ready()).toMatchObject({ status: 200, lastFailure: null });
  await inbox.receive({ ...delivery, events: [{}] });
  expect(await ready()).toMatchObject({ status: 503, ready: false, backlog: 2, lastFailure: null });
  await expect(inbox.receive({ ...delivery, events: [{}] })).rejects.toThrow();
  const lastFailure = { at: new Date(clock.now).toISOString(), code: 'backlog-full' };
  expect(await ready()).toMatchObject({ status: 503, lastFailure });
  await store.bury(await claimOne(store), { error: 'secret', afterDeadLetter: 'wait' });
  expect(await ready()).toMatchObject({ status: 200, backlog: 1, deadLetters: 1, lastFailure });
});

test('a receiver is 503 while its store cannot store, although it answers', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  const inbox = createInbox({ store });
  const { answer } = createProbes(inbox);
  const full = new InboxError('store-failed', 'secret: the disk is full');
  const tries = vi.spyOn(store, 'tryToStore').mockRejectedValue(full);
  const receive = vi.spyOn(store, 'receive').mockRejectedValue(full);
  // Before the first delivery arrives, and after it has failed.
  expect((await answer('GET', '/ready')).status).toBe(503);
  await expect(inbox.receive({ ...delivery, events: [{}] })).rejects.toThrow();
  const { status, body } = await answer('GET', '/ready');
  expect(status).toBe(503);
  expect(JSON.parse(body)).toMatchObject({ ready: false, lastFailure: { code: 'store-failed' } });
  expect(body).not.toContain('secret');
  // It can recover although no delivery reaches a process that is not ready.
  tries.mockRestore();
  receive.mockRestore();
  expect((await answer('GET', '/ready')).status).toBe(200);
  expect((await store.stats()).depth).toBe(0);
});

test('a delivery that was stored proves that others can be, once', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  const inbox = createInbox({ store });
  const { answer } = createProbes(inbox);
  const tries = vi.spyOn(store, 'tryToStore');
  await inbox.receive({ ...delivery, events: [{}] });
  await answer('GET', '/ready');
  expect(tries).not.toHaveBeenCalled();
  await answer('GET', '/ready');
  expect(tries).toHaveBeenCalledTimes(1);
  // Neither a repetition nor an invalid delivery proves anything.
  await inbox.receive({ ...delivery, events: [{ identity: 'a' }] });
  await answer('GET', '/ready');
  await inbox.receive({ ...delivery, events: [{ identity: 'a' }] });
  await expect(inbox.receive({ ...delivery, events: [] })).rejects.toThrow();
  await answer('GET', '/ready');
  expect(tries).toHaveBeenCalledTimes(2);
  expect(JSON.parse((await answer('GET', '/ready')).body)).toMatchObject({ lastFailure: null });
});

test('an invalid time limit is refused', () => {
  for (const timeoutMs of [0, Number.NaN, 2 ** 31])
    expect(() => createProbes({ readiness: vi.fn() }, { timeoutMs })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
});
