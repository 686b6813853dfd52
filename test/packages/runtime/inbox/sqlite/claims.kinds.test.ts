import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createClaims } from '../../../../../packages/runtime/inbox/sqlite/claims.ts';
import { createKeyQueue } from '../../../../../packages/runtime/inbox/sqlite/receive.ts';
import { migrate } from '../../../../../packages/runtime/inbox/sqlite/database.ts';

/** A database that counts the rows of its statements, and keeps their texts. */
class ObservedDatabase extends DatabaseSync {
  readonly executed = new Set<string>();
  rows = 0;

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql);
    const observe = <Rows>(rows: Rows, count: number): Rows => {
      this.executed.add(sql);
      this.rows += count;
      return rows;
    };
    const all = statement.all.bind(statement);
    const get = statement.get.bind(statement);
    statement.all = (...parameters: never[]) => {
      const rows = all(...parameters);
      return observe(rows, rows.length);
    };
    statement.get = (...parameters: never[]) => {
      const row = get(...parameters);
      return observe(row, row === undefined ? 0 : 1);
    };
    return statement;
  }

  /** Returns how the executed statements find their rows. */
  plans(): readonly string[] {
    return [...this.executed].flatMap((sql) =>
      super
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from({ length: sql.split('?').length - 1 }, () => null))
        .map(({ detail }) => String(detail)),
    );
  }
}

test('a claim does not visit what a full kind has waiting', () => {
  using database = new ObservedDatabase(':memory:');
  migrate(database);
  const store = (kind: string, state: string, count: number): void => {
    database.exec(
      `INSERT INTO inbox_receipts (id, received_at, method, target, headers, body, events)
         VALUES ('${kind}${state}', 0, 'POST', '/', '[]', x'', ${count});
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       INSERT INTO inbox_events (receipt, position, received_at, kind, state, retry_at)
         SELECT (SELECT max(receipt) FROM inbox_receipts), i, 0, '${kind}', '${state}',
           iif('${state}' = 'retry', 1, NULL) FROM n`,
    );
  };
  store('full', 'ready', 100_000);
  store('full', 'retry', 100_000);
  const claim = (): void => {
    database.exec('SAVEPOINT before');
    for (const kind of ['early', 'late'])
      for (const state of ['ready', 'retry']) store(kind, state, 3);
    const claims = createClaims(database, createKeyQueue(database));
    database.executed.clear();
    database.rows = 0;
    const claimed = claims.claim({
      owner: 'worker',
      maxEvents: 10,
      leaseMs: 20_000,
      now: 2,
      cachedReceipts: [],
      interrupted: 'alone',
      kinds: [{ kind: 'full', maxEvents: 0, minRetries: 0, maxRetries: 0 }],
    });
    const states = claimed.map(({ event }) => `${event.kind} ${event.retryAt ?? 'first'}`);
    expect(states.toSorted().join()).toBe(
      'early 1,early 1,early 1,early first,early first,early first,' +
        'late 1,late first,late first,late first',
    );
    // The kinds, the candidates, the events, and the payloads of four receipts.
    expect(database.rows).toBe(3 + 12 + 10 + 4);
    const plans = database.plans();
    const byKind = plans.filter((plan) => plan.includes('inbox_events_kinds'));
    expect(byKind.filter((plan) => plan.includes('(kind=? AND retry_at'))).toHaveLength(2);
    expect(byKind.filter((plan) => plan.includes('(kind>?)'))).toHaveLength(2);
    // Both indexes are of what is in work, or was interrupted.
    const bounded = /inbox_events_(?:working|interrupted)$/u;
    const scans = plans.filter((plan) => /^SCAN|TEMP B-TREE/u.test(plan) && !bounded.test(plan));
    expect(scans).toEqual([]);
    database.exec('ROLLBACK TO before');
  };
  claim();
  // Statistics of the time when there was one kind.
  database.exec('ANALYZE');
  claim();
});

test('a claim without limits by kind has no further statement', () => {
  using database = new ObservedDatabase(':memory:');
  migrate(database);
  const claims = createClaims(database, createKeyQueue(database));
  database.executed.clear();
  claims.claim({ owner: 'worker', maxEvents: 10, leaseMs: 20_000, now: 2, cachedReceipts: [] });
  expect([...database.executed].filter((sql) => sql.includes('kind'))).toEqual([]);
  expect(database.executed.size).toBe(3);
});
