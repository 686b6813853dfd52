import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createWorker, type InboxStore } from '@countersign/runtime/inbox';
import { postgresStore } from '@countersign/runtime/inbox/postgres';
import { sqliteStore } from '@countersign/runtime/inbox/sqlite';
import { openPool } from './replay/postgres-server.ts';

const handlerMs = Number(process.env['HANDLER_MS'] ?? 40);

/** Handles events until the process is ended: by the event `poison`, by the parent, or for a reason outside of handlers. */
function work<Scope, Result>(store: InboxStore<Scope, Result>, result: Result): void {
  createWorker({
    store,
    leaseMs: 300,
    pollIntervalMs: 20,
    handle: async ({ kind }) => {
      await delay(handlerMs / 2);
      if (kind === 'poison') process.exit(3);
      await delay(handlerMs / 2);
      return result;
    },
    onDeadLetter({ event }) {
      writeSync(1, `alert ${event.kind}\n`);
      if (process.env['END_AT_ALERT'] === '1') process.kill(process.pid, 'SIGKILL');
    },
  });
}

const endAfterMs = process.env['END_AFTER_MS'];
if (endAfterMs !== undefined)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(endAfterMs));

const [place = '', schema = ''] = process.argv.slice(2);
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);
const clock = (): number => Date.now() + aheadMs;
if (schema === '') work(sqliteStore(place, { clock }), undefined);
else work(postgresStore(openPool(place, { max: 12 }), { schema, clock }), undefined);
