import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createKeyQueue,
  createReceive,
} from '../../../../../packages/runtime/inbox/sqlite/receive.ts';
import { migrate } from '../../../../../packages/runtime/inbox/sqlite/database.ts';
import { receipt } from '../store-harness.ts';

test('a full inbox counts its blocked events once for many receipts', () => {
  let milliseconds = 1000;
  let counts = 0;
  class ObservedDatabase extends DatabaseSync {
    override prepare(sql: string): StatementSync {
      const statement = super.prepare(sql);
      if (!sql.includes('WITH heads')) return statement;
      const get = statement.get.bind(statement);
      statement.get = (...parameters: never[]) => {
        counts += 1;
        // A count of this disk takes 5 ms.
        milliseconds += 5;
        return get(...parameters);
      };
      return statement;
    }
  }
  const time = vi.spyOn(performance, 'now').mockImplementation(() => milliseconds);
  onTestFinished(() => time.mockRestore());
  using database = new ObservedDatabase(':memory:');
  migrate(database);
  const receive = createReceive(database, createKeyQueue(database));
  receive(receipt(...Array.from({ length: 11 }, () => ({ orderKey: 'dead' }))), undefined);
  database.exec("UPDATE inbox_events SET state = 'dead' WHERE state = 'ready'");
  const receiveMany = (): number => {
    let stored = 0;
    for (let sent = 0; sent < 30; sent += 1)
      try {
        receive(receipt({}), 5);
        stored += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'backlog-full' });
      }
    return stored;
  };
  // The ten events behind the dead letter are not a backlog.
  expect(receiveMany()).toBe(5);
  expect(counts).toBe(1);
  milliseconds += 101;
  expect(receiveMany()).toBe(0);
  expect(counts).toBe(2);
});
