import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createInbox, createWorker, type Claim } from '@countersign/runtime/inbox';
import { postgresStore, type PostgresStoreOptions } from '@countersign/runtime/inbox/postgres';
import type pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { claimStatement } from '../../../../../packages/runtime/inbox/postgres/claims.ts';
import {
  migrate,
  stepsOf,
  readSettings,
} from '../../../../../packages/runtime/inbox/postgres/connection.ts';
import { migrations } from '../../../../../packages/runtime/inbox/postgres/migrations.ts';
import { openPool, startPostgres } from '../replay/postgres-server.ts';
import { startSilentServer } from '../replay/silent-server.ts';
import { checkMigrated, eventsOfVersion2 } from '../older-version.ts';
import { claim, claimOne, receipt } from '../store-harness.ts';
import { openPostgres, type PostgresHarness } from './postgres-harness.ts';

const server = await startPostgres();
const url = server?.url ?? '';
const open = (options: PostgresStoreOptions = {}): Promise<PostgresHarness> =>
  openPostgres(url, options);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const failed = { name: 'InboxError', code: 'store-failed' };

/** A pool that ends after the test. */
function testPool(options: pg.PoolConfig = {}, to: string = url): pg.Pool {
  const pool = openPool(to, options);
  onTestFinished(() => pool.end());
  return pool;
}

test.each([{ schema: 'a"b' }, { schema: '' }, { timeoutMs: 0 }, { timeoutMs: 2 ** 31 }])(
  '%j is refused',
  (options) => {
    expect(() => postgresStore({ connect: () => Promise.reject(new Error()) }, options)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  },
);

test('a pool without connections beside those of handlers is refused', () => {
  expect(() => postgresStore(testPool({ max: 2 }, 'postgres://localhost/none'))).toThrow(
    expect.objectContaining({ code: 'invalid-option' }),
  );
});

test('a server that does not answer is an error after the timeout', async () => {
  await using silent = await startSilentServer();
  const pool = testPool(
    { connectionTimeoutMillis: 500 },
    `postgres://user:secret@127.0.0.1:${silent.port}/postgres`,
  );
  const store = postgresStore(pool, { timeoutMs: 50 });
  await expect(store.receive(receipt({}))).rejects.toMatchObject(failed);
  await expect(claim(store)).rejects.toMatchObject(failed);
  await expect(store.stats()).rejects.not.toThrow(/secret/u);
  await store.close();
});

test.skipIf(server === undefined)('a database that is frozen accepts nothing', async () => {
  await using harness = await open();
  const frozen = harness.another({}, { options: '-c default_transaction_read_only=on' });
  await expect(frozen.receive(receipt({}))).rejects.toMatchObject(failed);
  await expect(claim(frozen)).rejects.toMatchObject(failed);
  expect((await frozen.stats()).backlog).toBe(0);
});

describe.skipIf(server === undefined)('durability', () => {
  const off = { options: '-c synchronous_commit=off' };

  test('connections that do not wait for the disk are refused, unless that is permitted', async () => {
    await using harness = await open();
    await expect(harness.another({}, off).receive(receipt({}))).rejects.toMatchObject({
      code: 'unsafe-durability',
    });
    const lax = harness.another({ allowLossOnPowerFailure: true }, off);
    expect(await lax.receive(receipt({}))).toMatchObject([{ status: 'stored' }]);
  });

  test.skipIf(server?.control === undefined)(
    'a server that does not wait for the disk is refused',
    async () => {
      await using harness = await open();
      const set = async (value: string): Promise<void> => {
        await harness.admin.query(`ALTER SYSTEM SET fsync = ${value}`);
        await harness.admin.query('SELECT pg_reload_conf()');
        await expect
          .poll(async () => (await harness.admin.query('SHOW fsync')).rows)
          .toEqual([{ fsync: value }]);
      };
      try {
        await set('off');
        await expect(harness.another().stats()).rejects.toMatchObject({
          code: 'unsafe-durability',
        });
      } finally {
        await set('on');
      }
      expect(await harness.another().stats()).toMatchObject({ depth: 0 });
    },
  );

  test('receipts wait for the disk on connections that are changed later', async () => {
    await using harness = await open();
    await harness.admin.query(`
      CREATE TABLE ${harness.schema}.commits (setting text);
      CREATE FUNCTION ${harness.schema}.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO ${harness.schema}.commits VALUES (current_setting('synchronous_commit'));
        RETURN NULL;
      END $$;
      CREATE TRIGGER note AFTER INSERT ON ${harness.schema}.inbox_receipts
        FOR EACH ROW EXECUTE FUNCTION ${harness.schema}.note()`);
    const pool = testPool({ max: 3 });
    const store = postgresStore(pool, { schema: harness.schema });
    await store.stats();
    // One connection at a time is in use, so that the pool has only this one.
    await pool.query('SET synchronous_commit = off');
    await store.receive(receipt({}));
    expect(pool.totalCount).toBe(1);
    await pool.query('SET synchronous_commit = remote_write');
    await store.receive(receipt({}));
    expect((await harness.admin.query(`SELECT * FROM ${harness.schema}.commits`)).rows).toEqual([
      { setting: 'on' },
      { setting: 'remote_write' },
    ]);
    await store.close();
  });
});

describe.skipIf(server === undefined)('the schema', () => {
  test('can be created by another role with the SQL files', async () => {
    const suffix = randomBytes(6).toString('hex');
    const [role, schema] = [`role_${suffix}`, `schema_${suffix}`];
    const versions = migrations;
    const sql = versions.join('\n');
    const grants = sql
      .split('\n')
      .filter((line) => line.startsWith('--'))
      .map((line) => line.slice(2))
      .join('\n')
      .match(/GRANT [^;]+;/gu);
    expect(grants).toHaveLength(2);
    const admin = testPool({ max: 1 });
    await admin.query(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}`);
    // `psql` sends each statement by itself.
    for (const [index, version] of versions.entries())
      for (const statement of index === 0 ? [version] : stepsOf(version))
        await admin.query(statement);
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${suffix}'`);
    await admin.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
    for (const grant of grants ?? []) await admin.query(grant.replace('the_application', role));

    const application = new URL(url);
    application.username = role;
    application.password = suffix;
    const store = postgresStore(testPool({}, application.href), { schema });
    await store.receive(receipt({ identity: 'one', orderKey: 'a' }, { orderKey: 'a' }, {}));
    await store.receive(receipt({ identity: 'one' }));
    const [first, second] = await claim(store);
    if (first === undefined || second === undefined) throw new Error('expected two claims');
    expect(await store.extend([first], 20_000)).toEqual([]);
    expect(await store.complete(first, async () => undefined)).toBe('completed');
    await store.fail(second, { error: 'x', at: Date.now() });
    await store.bury(await claimOne(store), { error: 'x', afterDeadLetter: 'wait' });
    await store.release(await claim(store));
    await store.retry({}, 'ana');
    await store.reveal(second.event.id, 'ana');
    await store.replay({}, 'ana');
    await store.discard({}, 'ana');
    for (let count = 0; count < 110; count += 1) await claim(store);
    const later = Date.now() + 60_000;
    expect(
      await store.delete({ finishedBefore: later, identitiesBefore: later }, 'ana'),
    ).toMatchObject({ receipts: 1, identities: 1 });
    expect(await store.stats()).toMatchObject({ depth: 0, duplicates: 1 });
    await expect(store.migrate()).resolves.toBeUndefined();
    await store.close();
    await admin.query(`DROP SCHEMA ${schema} CASCADE`);
    await admin.query(`DROP ROLE ${role}`);
  });

  test('is created once by several processes that start at once', async () => {
    const schema = `inbox_${randomBytes(6).toString('hex')}`;
    const admin = testPool();
    await admin.query(`CREATE SCHEMA ${schema}`);
    const stores = Array.from({ length: 5 }, () => postgresStore(testPool({ max: 3 }), { schema }));
    await expect(stores[0]?.stats()).rejects.toMatchObject({ code: 'schema-version' });
    await Promise.all(stores.map((store) => store.migrate()));
    for (const store of stores) {
      expect(await store.stats()).toMatchObject({ depth: 0 });
      await store.close();
    }
    await admin.query(`DROP SCHEMA ${schema} CASCADE`);
  });

  test('of version 2 keeps what it stored, which is handled after its migration', async () => {
    const schema = `inbox_${randomBytes(6).toString('hex')}`;
    const admin = testPool();
    await admin.query(`CREATE SCHEMA ${schema}`);
    await migrate(admin, readSettings({ schema }), migrations.slice(0, 2));
    const { columns, rows } = eventsOfVersion2;
    await admin.query(
      `INSERT INTO ${schema}.inbox_receipts (id, received_at, method, target, headers, body, events)
         VALUES ('old', 0, 'POST', '/', '[]', '', ${rows.length});
       INSERT INTO ${schema}.inbox_events (receipt_id, ${columns})
         SELECT 'old', old.* FROM (VALUES ${rows.join()}) AS old`,
    );
    const store = postgresStore(testPool({ max: 3 }), { schema });
    await expect(store.stats()).rejects.toMatchObject({ code: 'schema-version' });
    await store.migrate();
    await checkMigrated(store, async () => undefined);
    await store.close();
    await admin.query(`DROP SCHEMA ${schema} CASCADE`);
  });

  test('that is too old is refused', async () => {
    await using harness = await open();
    await harness.admin.query(`DELETE FROM ${harness.schema}.inbox_schema`);
    await expect(harness.another().stats()).rejects.toMatchObject({ code: 'schema-version' });
  });
});

describe.skipIf(server === undefined)('receipts', () => {
  test('that arrive together are committed together', async () => {
    await using harness = await open();
    await Promise.all(Array.from({ length: 300 }, () => harness.store.receive(receipt({}))));
    const { rows } = await harness.admin.query(
      `SELECT count(DISTINCT xmin::text)::integer AS commits, count(*)::integer AS receipts
       FROM ${harness.schema}.inbox_receipts`,
    );
    expect(rows[0]).toMatchObject({ receipts: 300 });
    expect(rows[0].commits).toBeLessThan(20);
  });

  test('that fail do not fail the others of their transaction', async () => {
    await using harness = await open();
    const sent = receipt({});
    await harness.store.receive(sent);
    const results = await Promise.allSettled([
      harness.store.receive(receipt({})),
      harness.store.receive(receipt({})),
      // The identifier of a receipt is unique.
      harness.store.receive(sent),
      harness.store.receive(receipt({})),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(results[2]).toMatchObject({ reason: failed });
    expect((await harness.store.stats()).depth).toBe(4);
  });

  test('are numbered in the order of their commits within a key, and other keys do not wait', async () => {
    await using harness = await open();
    const { admin, schema, store } = harness;
    // The first receipt waits at its commit for a lock that this test holds.
    await admin.query(`
      CREATE FUNCTION ${schema}.stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.kind = 'slow' THEN PERFORM pg_advisory_xact_lock(hashtext('${schema}')); END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER stop AFTER INSERT ON ${schema}.inbox_events
        FOR EACH ROW EXECUTE FUNCTION ${schema}.stop()`);
    const gate = testPool({ max: 1 });
    await gate.query(`SELECT pg_advisory_lock(hashtext('${schema}'))`);
    const waiting = async (): Promise<unknown> =>
      (await gate.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`))
        .rowCount;
    const [two, three] = [harness.another(), harness.another()];
    const slow = store.receive(receipt({ kind: 'slow', orderKey: 'a' }));
    await expect.poll(waiting).toBe(1);
    const second = two.receive(receipt({ kind: 'same key', orderKey: 'a' }));
    await expect.poll(waiting).toBe(2);
    await three.receive(receipt({ kind: 'other', orderKey: 'b' }));
    await gate.query(`SELECT pg_advisory_unlock(hashtext('${schema}'))`);
    await Promise.all([slow, second]);
    const { events } = await store.list({ orderKey: 'a' });
    expect(events.map(({ kind, state }) => [kind, state])).toEqual([
      ['slow', 'ready'],
      ['same key', 'waiting'],
    ]);
  });

  test('whose commit has no answer are errors, and duplicates when they are repeated', async () => {
    await using harness = await open();
    const pool = testPool();
    let breaks = false;
    const lossy = {
      connect: async (): Promise<pg.PoolClient> => {
        const client = await pool.connect();
        const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>;
        return Object.assign(Object.create(client) as pg.PoolClient, {
          query: async (...values: unknown[]) => {
            const result = await query(...values);
            if (breaks && values[0] === 'COMMIT') throw new Error('read ECONNRESET');
            return result;
          },
        });
      },
    };
    const store = postgresStore(lossy, { schema: harness.schema });
    await store.stats();
    breaks = true;
    const sent = receipt({ identity: 'one' });
    await expect(store.receive(sent)).rejects.toMatchObject(failed);
    breaks = false;
    expect(await store.receive(receipt({ identity: 'one' }))).toEqual([
      { status: 'duplicate', id: `${sent.id}-0` },
    ]);
    await store.close();
  });

  test('may have any text, and keys of any length', async () => {
    await using harness = await open();
    const { store, clock } = harness;
    const texts = ['a\0b', 'a\\0b', 'a\\\0b', `'"; -- $1`, 'ship 🚢', 'x'.repeat(20_000)];
    for (const text of texts) {
      const sent = { ...receipt({ kind: text, orderKey: text, identity: text }), target: text };
      expect(await store.receive(sent)).toMatchObject([{ status: 'stored' }]);
    }
    const claims = await claim(store, 20);
    expect(claims.map(({ event }) => event.orderKey)).toEqual(texts);
    for (const [index, held] of claims.entries()) {
      const { event } = held;
      expect([event.kind, event.identity, event.target]).toEqual(Array(3).fill(texts[index]));
      expect((await store.list({ orderKey: texts[index] ?? '' })).events).toHaveLength(1);
      expect(await store.fail(held, { error: texts[index] ?? '', at: clock.now })).toBe('recorded');
      expect(await store.get(event.id)).toMatchObject({ error: texts[index] });
    }
    // Text of Postgres cannot distinguish them.
    expect(
      await store.receive(receipt({ identity: '\ud800' }, { identity: '\ud801' })),
    ).toMatchObject([{ status: 'stored' }, { status: 'stored' }]);
    expect(await store.get('\0-1')).toBeUndefined();
  });

  test('may have more events than the server has locks', async () => {
    await using harness = await open();
    const events = Array.from({ length: 10_000 }, (_, index) => ({
      orderKey: `key ${index}`,
      identity: `identity ${index}`,
    }));
    const results = await Promise.all([
      harness.store.receive(receipt(...events)),
      harness.another().receive(receipt(...events.toReversed())),
    ]);
    const stored = results.flat().filter(({ status }) => status === 'stored');
    expect(stored).toHaveLength(10_000);
    expect((await harness.store.stats()).byState).toMatchObject({ ready: 10_000, waiting: 0 });
  });

  test('have their order under another isolation level by default', async () => {
    await using harness = await open();
    const pool = { options: '-c default_transaction_isolation=serializable' };
    const stores = [harness.another({}, pool), harness.another({}, pool)];
    const values = Array.from({ length: 40 }, (_, index) => `${index}`);
    await Promise.all(
      values.map(async (_, index) => {
        await stores[index % 2]?.receive(receipt({ orderKey: `${index % 3}` }));
      }),
    );
    for (let handled = 0; handled < 40;) {
      const claims = (await Promise.all(stores.map((store) => claim(store, 2)))).flat();
      await Promise.all(
        claims.map(async (held, index) => {
          await stores[index % 2]?.complete(held, harness.none);
        }),
      );
      handled += claims.length;
    }
    expect(await harness.store.stats()).toMatchObject({ byState: { done: 40 }, depth: 0 });
  });

  test('count blocked events once for many receipts of a full inbox', async () => {
    await using harness = await open();
    const { schema, clock } = harness;
    const pool = testPool();
    let milliseconds = performance.now();
    let counts = 0;
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...values: unknown[]) => unknown;
      client.query = (...values: unknown[]): never => {
        if (String(values[0]).includes('WITH heads')) {
          counts += 1;
          // A count of this server takes 5 ms.
          milliseconds += 5;
        }
        return query(...values) as never;
      };
    });
    const store = postgresStore(pool, { schema, clock: () => clock.now });
    await store.receive(receipt(...Array.from({ length: 11 }, () => ({ orderKey: 'dead' }))));
    await store.bury(await claimOne(store), { error: 'broken', afterDeadLetter: 'wait' });
    const time = vi.spyOn(performance, 'now').mockImplementation(() => milliseconds);
    onTestFinished(() => time.mockRestore());
    const receiveMany = async (): Promise<number> => {
      let stored = 0;
      for (let sent = 0; sent < 30; sent += 1)
        stored += await store.receive(receipt({}), { maxBacklogEvents: 5 }).then(
          () => 1,
          () => 0,
        );
      return stored;
    };
    // The ten events behind the dead letter are not a backlog.
    expect(await receiveMany()).toBe(5);
    expect(counts).toBe(1);
    milliseconds += 101;
    expect(await receiveMany()).toBe(0);
    expect(counts).toBe(2);
    await store.close();
  });

  test('are counted exactly after many transactions', async () => {
    await using harness = await open();
    const { store } = harness;
    for (let count = 0; count < 120; count += 1) {
      await store.receive(receipt({ identity: `${count % 100}` }));
      if (count % 2 === 0) await store.complete(await claimOne(store), harness.none);
    }
    const rows = async (): Promise<number> => {
      const result = await harness.admin.query(`SELECT FROM ${harness.schema}.inbox_counts`);
      return result.rowCount ?? 0;
    };
    expect(await store.stats()).toMatchObject({
      byState: { done: 60, ready: 40 },
      duplicates: 20,
    });
    // There were more than 200 changes.
    await expect.poll(rows).toBeLessThan(200);
  });
});

describe.skipIf(server === undefined)('handlers', () => {
  const clientOf = async (
    harness: PostgresHarness,
    held: Claim,
    run: (client: pg.PoolClient) => Promise<unknown>,
  ): ReturnType<typeof harness.store.complete> =>
    await harness.store.complete(held, async ({ transaction }) => {
      await run(transaction);
    });

  test('that ignore the error of a statement have failed', async () => {
    await using harness = await open();
    await harness.store.receive(receipt({}));
    const held = await claimOne(harness.store);
    await expect(
      clientOf(harness, held, async (client) => {
        await client.query(`INSERT INTO ${harness.schema}.effects (value) VALUES ('half')`);
        await client.query('SELECT nonsense').catch(() => undefined);
      }),
    ).rejects.toMatchObject({ code: 'transaction-failed' });
    expect(await harness.effects()).toEqual([]);
    expect(await harness.store.fail(held, { error: 'x', at: harness.clock.now })).toBe('recorded');
  });

  test.each(['COMMIT', ' rollback', 'BEGIN', 'start transaction', 'END', 'rollback work'])(
    'cannot run %s',
    async (statement) => {
      await using harness = await open();
      await harness.store.receive(receipt({}));
      const held = await claimOne(harness.store);
      await expect(
        clientOf(harness, held, async (client) => {
          await harness.effect('undone')({ transaction: client });
          await client.query(statement);
        }),
      ).rejects.toMatchObject({ code: 'transaction-failed' });
      expect(await harness.effects()).toEqual([]);
    },
  );

  test.each(['/* hidden */ COMMIT', '/* hidden */ ROLLBACK', 'SELECT 1; COMMIT; BEGIN'])(
    'that run %j have failed',
    async (statement) => {
      await using harness = await open();
      await harness.store.receive(receipt({}));
      const held = await claimOne(harness.store);
      await expect(
        clientOf(harness, held, (client) => client.query(statement)),
      ).rejects.toMatchObject({ code: 'transaction-failed' });
      expect(await harness.store.get(held.event.id)).toMatchObject({ state: 'working' });
    },
  );

  test('can use savepoints, and the connection as libraries use one of a pool', async () => {
    await using harness = await open();
    await harness.store.receive(receipt({}));
    const effect = harness.effect('kept');
    const completed = await clientOf(harness, await claimOne(harness.store), async (client) => {
      await effect({ transaction: client });
      client.release();
      await client.query('SAVEPOINT before');
      await harness.effect('undone')({ transaction: client });
      await client.query('SELECT nonsense').catch(() => undefined);
      await client.query('ROLLBACK TO before');
    });
    expect(completed).toBe('completed');
    expect(await harness.effects()).toEqual(['kept']);
  });

  test('cannot change the isolation level, on which the order depends', async () => {
    await using harness = await open();
    await harness.store.receive(receipt({}));
    await expect(
      clientOf(harness, await claimOne(harness.store), (client) =>
        client.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE'),
      ),
    ).rejects.toThrow('must be called before any query');
  });

  test('cannot use the connection after they have ended', async () => {
    await using harness = await open();
    await harness.store.receive(receipt({}, {}));
    const [first, second] = await claim(harness.store);
    if (first === undefined || second === undefined) throw new Error('expected two claims');
    const kept: pg.PoolClient[] = [];
    await clientOf(harness, first, async (client) => kept.push(client));
    await expect(
      clientOf(harness, second, async (client) => {
        kept.push(client);
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect(kept).toHaveLength(2);
    for (const client of kept)
      expect(() => client.query('SELECT 1')).toThrow(
        expect.objectContaining({ code: 'transaction-failed' }),
      );
  });

  test('whose constraints fail at the commit have failed', async () => {
    await using harness = await open();
    await harness.admin.query(
      `ALTER TABLE ${harness.schema}.effects ADD CONSTRAINT once UNIQUE (value) DEFERRABLE INITIALLY DEFERRED`,
    );
    await harness.store.receive(receipt({}));
    const held = await claimOne(harness.store);
    await expect(
      clientOf(harness, held, async (client) => {
        await harness.effect('same')({ transaction: client });
        await harness.effect('same')({ transaction: client });
      }),
    ).rejects.toMatchObject({ code: '23505' });
    expect(await harness.store.fail(held, { error: 'x', at: harness.clock.now })).toBe('recorded');
  });

  test.each([{}, { orderKey: 'a' }])(
    'with one effect take three round trips: %j',
    async (event) => {
      await using harness = await open();
      const { schema } = harness;
      const pool = testPool();
      // Without a clock of the application, a lease that has just begun needs no question.
      const store = postgresStore(pool, { schema });
      await store.receive(receipt(event));
      const held = await claimOne(store);
      const messages: string[] = [];
      const record = (client: pg.PoolClient): void => {
        const query = client.query.bind(client) as (...values: unknown[]) => unknown;
        client.query = (...values: unknown[]): never => {
          messages.push(String(values[0]));
          return query(...values) as never;
        };
      };
      pool.on('acquire', record);
      const completed = await store.complete(held, async ({ transaction }) => {
        await transaction.query(`INSERT INTO ${schema}.effects (value) VALUES ('once')`);
      });
      pool.off('acquire', record);
      expect([completed, await harness.effects()]).toEqual(['completed', ['once']]);
      const [begin = '', effect = '', completion = '', ...furtherMessages] = messages;
      expect(furtherMessages).toEqual([]);
      expect([begin, effect, completion].map((text) => text.includes('inbox_events'))).toEqual([
        false,
        false,
        true,
      ]);
      // What is planned for each event is what it needs: two statements that begin, and no other of its key.
      expect(begin.split(';')).toHaveLength(2);
      expect(completion.split('inbox_events')).toHaveLength(event.orderKey === undefined ? 2 : 4);
      await store.close();
    },
  );

  test('do not run if the lease has ended, and have no effect if the claim is lost before', async () => {
    await using harness = await open();
    const { schema } = harness;
    const store = postgresStore(testPool(), { schema });
    await store.receive(receipt({}));
    const request = { owner: 'worker', maxEvents: 1 };
    const [ended] = await store.claim({ ...request, leaseMs: 1 });
    let present: readonly Claim[] = [];
    while (present.length === 0) present = await store.claim({ ...request, leaseMs: 30_000 });
    const [held] = present;
    if (ended === undefined || held === undefined) throw new Error('expected two claims');
    let runs = 0;
    const run = (of: Claim): Promise<string> =>
      store.complete(of, async ({ transaction }) => {
        runs += 1;
        await transaction.query(`INSERT INTO ${schema}.effects (value) VALUES ('once')`);
      });
    expect([await run(ended), runs]).toEqual(['lost', 0]);
    await harness.admin.query(`UPDATE ${schema}.inbox_events SET claims = claims + 1`);
    expect([await run(held), runs]).toEqual(['lost', 1]);
    expect(await harness.effects()).toEqual([]);
    await store.close();
  });

  test('whose connection is lost are undone, and can be tried again', async () => {
    await using harness = await open();
    const { store } = harness;
    await store.receive(receipt({}));
    const held = await claimOne(store);
    await expect(
      clientOf(harness, held, async (client) => {
        await harness.effect('undone')({ transaction: client });
        const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
        await harness.admin.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
        await client.query('SELECT 1');
      }),
    ).rejects.toMatchObject({ code: 'connection-lost' });
    expect(await store.complete(held, harness.effect('once'))).toBe('completed');
    expect(await harness.effects()).toEqual(['once']);
  });

  test('whose transaction cannot begin leave a usable connection', async () => {
    await using harness = await open();
    const { store, admin, schema } = harness;
    await store.receive(receipt({}));
    const held = await claimOne(store);
    await admin.query(`ALTER TABLE ${schema}.inbox_events RENAME TO hidden`);
    await expect(store.complete(held, harness.effect('undone'))).rejects.toMatchObject({
      name: 'InboxError',
    });
    await admin.query(`ALTER TABLE ${schema}.hidden RENAME TO inbox_events`);
    expect(await store.complete(held, harness.effect('once'))).toBe('completed');
    expect(await harness.effects()).toEqual(['once']);
  });

  test('that run beyond their time lose their transaction', async () => {
    await using harness = await open({ timeoutMs: 2000 });
    await harness.store.receive(receipt({}));
    const held = await claimOne(harness.store);
    const late: Promise<unknown>[] = [];
    await expect(
      clientOf(harness, held, async (client) => {
        await harness.effect('undone')({ transaction: client });
        late.push(client.query('SELECT pg_sleep(3)').catch((error: unknown) => error));
        await delay(50);
        throw new Error('out of time');
      }),
    ).rejects.toThrow('out of time');
    await Promise.all(late);
    expect(await harness.store.complete(held, harness.effect('once'))).toBe('completed');
    expect(await harness.effects()).toEqual(['once']);
  });

  test('cannot exhaust the pool, and every connection is returned', async () => {
    await using harness = await open();
    const pool = testPool({ max: 3 });
    const store = postgresStore(pool, { schema: harness.schema });
    const inbox = createInbox({ store });
    const delivery = { method: 'POST', target: '/', headers: [], body: Buffer.from('') };
    for (let count = 0; count < 20; count += 1)
      await inbox.receive({ ...delivery, events: [{ kind: 'first' }] });
    const worker = createWorker({
      store,
      concurrency: 10,
      pollIntervalMs: 10,
      retry: { attempts: 2, firstDelayMs: 1, maxDelayMs: 1 },
      handle: async ({ kind, attempts, id }, { transaction }) => {
        await harness.effect(id)({ transaction });
        // Each needs a connection while this handler has one.
        await pool.query('SELECT 1');
        if (kind === 'first') await inbox.receive({ ...delivery, events: [{ kind: 'second' }] });
        if (kind === 'second' && attempts === 0) throw new Error('refused');
      },
    });
    await expect
      .poll(async () => (await store.stats()).byState, { timeout: 30_000 })
      .toMatchObject({ done: 40, dead: 0 });
    await worker.close();
    await store.close();
    expect(new Set(await harness.effects()).size).toBe(40);
    expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
  });
});

describe.skipIf(server === undefined)('operators', () => {
  test('change any number of events', async () => {
    await using harness = await open();
    const { store } = harness;
    const events = Array.from({ length: 2500 }, (_, index) => ({ orderKey: `${index % 7}` }));
    await store.receive(receipt(...events));
    const held = await claimOne(store);
    await harness.admin.query(
      `UPDATE ${harness.schema}.inbox_events SET state = 'dead' WHERE state <> 'working'`,
    );
    expect(await store.retry({}, 'ana')).toBe(2499);
    expect(await store.stats()).toMatchObject({ byState: { ready: 6, waiting: 2493, working: 1 } });
    await store.complete(held, harness.none);
    expect(await claim(store)).toHaveLength(7);
    expect(await store.discard({}, 'ana')).toBe(2492);
  });

  test('and claims at the same time leave one event of a key in work', async () => {
    await using harness = await open();
    const { store } = harness;
    const another = harness.another();
    for (let round = 0; round < 20; round += 1) {
      const key = `key ${round}`;
      await store.receive(receipt({ kind: 'first', orderKey: key }));
      await store.complete(await claimOne(store), harness.none);
      await store.receive(receipt({ kind: 'second', orderKey: key }));
      await Promise.all([claim(store), another.replay({ kind: 'first', orderKey: key }, 'ana')]);
      const { events } = await store.list({ orderKey: key });
      const active = events.filter(({ state }) => state === 'working' || state === 'ready');
      expect(active).toHaveLength(1);
      await store.discard({ orderKey: key }, 'ana');
    }
  });
});

describe.skipIf(server?.control === undefined)('a server that stops', () => {
  test('is an error in time, and receipts and handlers continue after its start', async () => {
    await using harness = await open({ timeoutMs: 10_000 });
    const { store } = harness;
    await store.receive(receipt({ identity: 'before' }));
    const errors: unknown[] = [];
    await server?.control?.stop();
    const worker = createWorker({
      store,
      handle: async (event, { transaction }) => {
        await harness.effect(event.identity ?? '')({ transaction });
      },
      onError: (error) => errors.push(error),
    });
    try {
      await expect(store.receive(receipt({ identity: 'refused' }))).rejects.toMatchObject(failed);
      await expect(store.stats()).rejects.toMatchObject(failed);
    } finally {
      await server?.control?.start();
    }
    await store.receive(receipt({ identity: 'after' }));
    await expect.poll(() => harness.effects(), { timeout: 20_000 }).toHaveLength(2);
    await worker.close();
    expect(new Set(await harness.effects())).toEqual(new Set(['before', 'after']));
    expect(errors[0]).toMatchObject(failed);
  });
});

/** A node of a plan, with what it did. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the rows of tables and indexes that a plan has read. */
function rowsRead(node: PlanNode): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const isTableScan =
    node['Node Type'].endsWith(' Scan') &&
    !/^(?:CTE|Subquery|WorkTable|Values) /u.test(node['Node Type']);
  const ownRows = isTableScan ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), ownRows);
}

describe.skipIf(server === undefined)('a claim with limits by kind', () => {
  test('takes the next events of a kind instead of those that another claim has locked', async () => {
    await using harness = await open();
    const { admin, schema, store } = harness;
    for (const kind of ['a', 'a', 'a', 'a', 'b', 'b']) await store.receive(receipt({ kind }));
    const { events } = await store.list();
    const client = await admin.connect();
    await client.query('BEGIN');
    await client.query(
      `SELECT FROM ${schema}.inbox_events WHERE kind = 'a' ORDER BY seq LIMIT 2 FOR UPDATE`,
    );
    const claims = await store
      .claim({
        owner: 'worker',
        maxEvents: 3,
        leaseMs: 20_000,
        kinds: [{ kind: 'a', maxEvents: 2, minRetries: 0, maxRetries: 2 }],
      })
      .finally(async () => {
        await client.query('ROLLBACK');
        client.release();
      });
    expect(claims.map(({ event }) => event.id)).toEqual(
      [2, 3, 4].map((index) => events[index]?.id),
    );
  });

  test('does not visit what a full kind has waiting', async () => {
    await using harness = await open();
    const { admin, schema } = harness;
    const insert = async (kind: string, state: string, count: number): Promise<void> => {
      const failedAt = state === 'retry' ? 1 : 'NULL';
      await admin.query(
        `INSERT INTO ${schema}.inbox_receipts (id, received_at, method, target, headers, body, events)
           VALUES ('${kind}${state}', 0, 'POST', '/', '[]', '', ${count});
         INSERT INTO ${schema}.inbox_events
           (receipt_id, position, received_at, kind, state, retry_at, failed_at)
           SELECT '${kind}${state}', i, 0, '${kind}', '${state}', ${failedAt}, ${failedAt}
           FROM generate_series(1, ${count}) AS i`,
      );
    };
    const settings = readSettings({ schema, clock: () => 1_000_000 });
    /** Expects that a claim has ten events, and reads few rows. */
    const explain = async (limit: number): Promise<void> => {
      const statements = claimStatement(
        settings,
        {
          owner: 'worker',
          maxEvents: 10,
          leaseMs: 20_000,
          interrupted: 'alone',
          kinds: [{ kind: 'full', maxEvents: limit, minRetries: 0, maxRetries: limit }],
        },
        [],
      ).split(';');
      let claimed = 0;
      let read = 0;
      const client = await admin.connect();
      await client.query('BEGIN');
      for (const statement of statements) {
        const { rows } = await client.query<{
          'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
        }>(`EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) ${statement}`);
        const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
        if (plan === undefined) throw new Error('expected a plan');
        claimed = plan['Actual Rows'];
        read += rowsRead(plan);
      }
      await client.query('ROLLBACK');
      client.release();
      expect(claimed).toBe(10);
      expect(read).toBeLessThan(150);
    };
    await insert('full', 'ready', 100_000);
    await insert('full', 'retry', 20_000);
    await admin.query(`ANALYZE ${schema}.inbox_events`);
    for (const kind of ['early', 'late'])
      for (const state of ['ready', 'retry']) await insert(kind, state, 3);
    await explain(0);
    await explain(2);
    await admin.query(`ANALYZE ${schema}.inbox_events`);
    await explain(0);
    await explain(2);
  });
});
