import { createInbox, createProbes, createWorker } from '@countersign/inbox';
import { expect, test, vi } from 'vitest';
import { openSqlite } from './sqlite/sqlite-harness.ts';
import { claimOne, receipt } from './store-harness.ts';

test('a worker and a receiver answer with three figures, and are not cached', async () => {
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
    expect(JSON.parse(text)).toMatchObject({ ready: true, backlog: 1, blockedKeys: 1 });
    expect(Object.keys(JSON.parse(text))).toEqual([
      'ready',
      'backlog',
      'oldestAgeMs',
      'blockedKeys',
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

/** A handler that ends when the worker stops. */
async function hang(_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<undefined> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return undefined;
}

test('a store that hangs is 503 in bounded time, called once, and leaves the process alive', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  const stats = vi.spyOn(store, 'stats').mockReturnValue(new Promise(() => undefined));
  const { answer } = createProbes({ store }, { timeoutMs: 20 });
  for (let round = 0; round < 2; round += 1)
    for (const { status, body } of await Promise.all([
      answer('GET', '/ready'),
      answer('GET', '/ready'),
    ]))
      expect([status, body]).toEqual([
        503,
        '{"ready":false,"backlog":null,"oldestAgeMs":null,"blockedKeys":null}',
      ]);
  expect(stats).toHaveBeenCalledTimes(1);
  expect(await answer('GET', '/live')).toMatchObject({ status: 200 });
});

test('a store that fails is 503, without its error, and liveness does not call it', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  const stats = vi.spyOn(store, 'stats');
  const { answer } = createProbes({ store });
  expect(await answer('GET', '/live')).toMatchObject({ status: 200 });
  expect(stats).not.toHaveBeenCalled();
  await store.close();
  const { status, body } = await answer('GET', '/ready');
  expect(status).toBe(503);
  expect(body).not.toContain('closed');
});

test('an invalid time limit is refused', () => {
  for (const timeoutMs of [0, Number.NaN, 2 ** 31])
    expect(() => createProbes({ readiness: vi.fn() }, { timeoutMs })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
});
