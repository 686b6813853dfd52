import { setTimeout as delay } from 'node:timers/promises';
import { createWorker, type InboxStore } from '@countersign/inbox';
import { postgresStore } from '@countersign/inbox/postgres';
import { sqliteStore } from '@countersign/inbox/sqlite';
import { openPool } from './replay/postgres-server.ts';

/** Handles events until the process is ended, by the event `poison` or by the parent. */
function work<Scope, Result>(store: InboxStore<Scope, Result>, result: Result): void {
  createWorker({
    store,
    leaseMs: 300,
    pollIntervalMs: 20,
    handle: async ({ kind }) => {
      await delay(20);
      if (kind === 'poison') process.exit(3);
      await delay(20);
      return result;
    },
    onDeadLetter: () => undefined,
  });
}

const [place = '', schema = ''] = process.argv.slice(2);
if (schema === '') work(sqliteStore(place), undefined);
else work(postgresStore(openPool(place, { max: 12 }), { schema }), undefined);
