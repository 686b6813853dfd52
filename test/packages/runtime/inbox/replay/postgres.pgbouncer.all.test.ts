import { randomBytes } from 'node:crypto';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { postgresReplayStore } from '../../../../../packages/runtime/inbox/replay/postgres.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { openPool, startPostgres } from './postgres-server.ts';

const server = await startPostgres();
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test.for(['transaction', 'statement'] as const)(
  'the store in Postgres works behind PgBouncer in %s mode',
  async (mode, { skip }) => {
    const bouncer = server && (await startPgBouncer(server.url, mode));
    if (bouncer === undefined) {
      skip('There is no Postgres, or no pgbouncer on the PATH.');
      return;
    }
    onTestFinished(() => bouncer[Symbol.asyncDispose]());
    const direct = openPool(server?.url ?? '');
    onTestFinished(() => direct.end());
    // More clients than the connections of PgBouncer.
    const pool = openPool(bouncer.url, { max: 20 });
    onTestFinished(() => pool.end());

    const table = `replay_${randomBytes(6).toString('hex')}`;
    await postgresReplayStore(direct, { table }).createTable();
    onTestFinished(async () => {
      await direct.query(`DROP TABLE ${table}`);
    });
    const store = postgresReplayStore(pool, { table, timeoutMs: 30_000 });
    const claimAll = async (): Promise<readonly (readonly string[])[]> =>
      await Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          const [key, owner] = [`key ${index % 10}`, `owner ${index}`];
          return [await store.claim(key, 600_000, owner), key, owner];
        }),
      );
    const first = await claimAll();
    const claimed = first.filter(([claim]) => claim === 'claimed');
    expect(new Set(claimed.map(([, key]) => key)).size).toBe(10);
    expect(claimed).toHaveLength(10);
    expect(first.filter(([claim]) => claim === 'busy')).toHaveLength(190);

    await store.release('key 0', claimed.find(([, key]) => key === 'key 0')?.[2] ?? '');
    await Promise.all(claimed.map(([, key = '', owner = '']) => store.confirm(key, owner)));
    expect(new Set((await claimAll()).map(([claim]) => claim))).toEqual(new Set(['seen']));
    expect(await store.deleteExpired()).toBe(0);
    if (mode === 'transaction') await store.createTable();
  },
);
