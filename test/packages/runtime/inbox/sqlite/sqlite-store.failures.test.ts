import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  commit,
  sqliteStore,
  type SqliteResult,
  type SqliteScope,
} from '@countersign/runtime/inbox/sqlite';
import {
  commonFailures,
  describeFailures,
  storeFailure,
  type HandlerFailure,
} from '../failures-conformance.ts';
import { openSqlite, type SqliteHarness } from './sqlite-harness.ts';

/** Writes a row of effect, then does something else in the same transaction. */
const writeAnd = (next: (database: DatabaseSync) => unknown) => async (): Promise<SqliteResult> =>
  commit((database) => {
    database.prepare("INSERT INTO effects (value) VALUES ('undone')").run();
    next(database);
  });

async function failures(
  harness: SqliteHarness,
): Promise<readonly HandlerFailure<SqliteScope, SqliteResult>[]> {
  const database = new DatabaseSync(harness.path);
  database.exec(
    `CREATE TABLE parents (id INTEGER PRIMARY KEY);
     CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
     CREATE TABLE refused (id INTEGER);
     CREATE TRIGGER refuse BEFORE INSERT ON refused BEGIN SELECT RAISE(ROLLBACK, 'refused'); END`,
  );
  database.close();
  const other = sqliteStore(join(harness.path, 'no folder', 'inbox.db'));
  return [
    ...commonFailures<SqliteScope, SqliteResult>(() => other),
    {
      cause: 'a deferred constraint',
      error: 'Error [ERR_SQLITE_ERROR]',
      handle: writeAnd((connection) => connection.exec('INSERT INTO children VALUES (1)')),
    },
    {
      cause: 'an effect with the error of another store',
      error: 'InboxError [transaction-failed]',
      handle: writeAnd(() => {
        throw storeFailure();
      }),
    },
    {
      cause: 'a trigger that rolls the transaction back',
      error: 'Error [ERR_SQLITE_ERROR]',
      handle: writeAnd((connection) => connection.exec('INSERT INTO refused VALUES (1)')),
    },
    {
      cause: 'the same, whose error the effect ignores',
      error: 'InboxError [transaction-failed]',
      handle: writeAnd((connection) => {
        try {
          connection.exec('INSERT INTO refused VALUES (1)');
        } catch {
          // The effect does not notice that its transaction has ended.
        }
      }),
    },
    {
      cause: 'an effect that rolls its transaction back',
      error: 'InboxError [transaction-failed]',
      handle: writeAnd((connection) => connection.exec('ROLLBACK')),
    },
  ];
}

describeFailures('SQLite', openSqlite, failures, [
  'a second inbox that fails',
  'a second inbox that is closed',
  'a deferred constraint',
  'an effect with the error of another store',
  'a trigger that rolls the transaction back',
  'the same, whose error the effect ignores',
  'an effect that rolls its transaction back',
]);
