import type { InboxStore } from '@countersign/runtime/inbox';
import type { SqliteResult } from '@countersign/runtime/inbox/sqlite';
import {
  type Console,
  type EventRejection,
  startInboxConsole,
  type InboxConsoleOptions,
} from '../../../../packages/console/src/index.ts';
import { openSqlite } from '../../runtime/inbox/sqlite/sqlite-harness.ts';
import { receipt } from '../../runtime/inbox/store-harness.ts';

/** The console of an inbox that has events in several states. */
export interface TestInboxConsole extends AsyncDisposable {
  readonly console: Console;
  readonly store: InboxStore<object, SqliteResult>;
  /** The identifiers of events by their kinds. */
  readonly ids: Readonly<Record<'handled' | 'broken' | 'behind' | 'fresh', string>>;
}

/** Text that could become markup, or change the text around it. */
const hostile = '<img src=x onerror=alert(1)>\u202E';

/** How the event `broken` violates its contract. */
export const rejection: EventRejection = {
  reason: 'schema',
  kinds: ['broken'],
  violations: [{ pointer: '/weight', keyword: 'type', message: 'must be `integer`' }],
  omitted: 1,
};

/** Starts the console of an inbox whose clock shows 1000 seconds. */
export async function openInboxConsole(
  options: Partial<InboxConsoleOptions> = {},
): Promise<TestInboxConsole> {
  const harness = await openSqlite();
  const { store, none } = harness;
  const receive = async (kind: string, orderKey?: string): Promise<string> => {
    const sent = receipt({ kind, ...(orderKey === undefined ? {} : { orderKey }) });
    await store.receive({
      ...sent,
      target: '/hooks/ships',
      headers: [['x-hostile', hostile]],
      body: Buffer.from(JSON.stringify({ secret: kind, hostile })),
    });
    return `${sent.id}-0`;
  };
  const ids = {
    handled: await receive('handled'),
    broken: await receive('broken', hostile),
    behind: await receive('behind', hostile),
    fresh: await receive('fresh'),
  };
  for (const claim of await store.claim({ owner: 'test', maxEvents: 10, leaseMs: 20_000 })) {
    const { kind } = claim.event;
    if (kind === 'handled') await store.complete(claim, none);
    else if (kind === 'broken')
      await store.bury(claim, { error: hostile, rejection, afterDeadLetter: 'wait' });
    else await store.release([claim]);
  }
  const console = await startInboxConsole(store, { name: 'inbox.db', by: 'ana', ...options });
  return {
    console,
    store,
    ids,
    async [Symbol.asyncDispose]() {
      await console.close();
      await harness[Symbol.asyncDispose]();
    },
  };
}
