import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InboxStore, ReceivedEvent } from '@countersign/runtime/inbox';
import { sqliteStore } from '@countersign/runtime/inbox/sqlite';
import { storeFolder } from '../../output/store-folder.ts';

/** The folder of an inbox, `inbox.db`, and its store. */
export interface TestInbox extends AsyncDisposable {
  readonly folder: string;
  readonly store: InboxStore<object, undefined>;
  /** Stores a delivery with one event. Its identifier is `<receipt>-0`. */
  receive(receipt: string, event: ReceivedEvent, body?: Uint8Array): Promise<void>;
  /** Claims events until there are none, and lets them end as named by their receipts. */
  work(ends: Readonly<Record<string, 'done' | 'dead' | 'rejected' | 'retry'>>): Promise<void>;
}

/** Creates an inbox whose clock shows the given time. */
export async function createTestInbox(time = '2026-01-31T12:00:00Z'): Promise<TestInbox> {
  const folder = await mkdtemp(join(storeFolder(), 'countersign-inbox-'));
  const now = Date.parse(time);
  const store = sqliteStore(join(folder, 'inbox.db'), { clock: () => now });
  await store.stats();
  return {
    folder,
    store,
    async receive(id, event, body = Buffer.from('{"ship":"gull"}')) {
      await store.receive({
        id,
        receivedAt: now,
        method: 'POST',
        target: '/hooks/ships',
        headers: [['content-type', 'application/json']],
        body,
        events: [event],
      });
    },
    async work(ends) {
      const claims = await store.claim({ owner: 'test', maxEvents: 100, leaseMs: 20_000 });
      for (const claim of claims) {
        const end = ends[claim.event.receiptId];
        const error = 'ShipError [E_BUSY]';
        if (end === 'done') await store.complete(claim, async () => undefined);
        else if (end === 'dead') await store.bury(claim, { error, afterDeadLetter: 'wait' });
        else if (end === 'rejected')
          await store.bury(claim, {
            error: 'WebhookError [invalid-delivery]',
            rejection: {
              reason: 'schema',
              kinds: ['shipDocked'],
              violations: [{ pointer: '/weight', keyword: 'type', message: 'must be integer' }],
              omitted: 0,
            },
            afterDeadLetter: 'wait',
          });
        else if (end === 'retry') await store.fail(claim, { error, at: now + 60_000 });
        else await store.release([claim]);
      }
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
