import { setTimeout as delay } from 'node:timers/promises';
import {
  createInbox,
  createWorker,
  type InboxHandler,
  type InboxStore,
} from '@countersign/runtime/inbox';

/**
 * Receives deliveries, a few at a time, and handles events meanwhile. Writes the number of every acknowledged delivery.
 * Closes the store once nothing is left to handle.
 */
export async function runUntilHandled<Scope, Result>(
  store: InboxStore<Scope, Result>,
  handle: InboxHandler<Scope, Result>,
  deliveries: readonly number[],
): Promise<void> {
  const inbox = createInbox({ store });
  const worker = createWorker({
    store,
    concurrency: 4,
    leaseMs: 300,
    // The processes are ended at the same place again and again, whatever the event is.
    maxInterruptions: Infinity,
    pollIntervalMs: 20,
    handle,
    onError: (error) => {
      throw error;
    },
  });

  for (let next = 0; next < deliveries.length; next += 3)
    await Promise.all(
      deliveries.slice(next, next + 3).map(async (number) => {
        await inbox.receive({
          method: 'POST',
          target: '/hooks',
          headers: [],
          body: Buffer.from(String(number)),
          events: [{ identity: String(number), orderKey: `key${number % 5}` }],
        });
        // Written before it returns, unless the pipe is full because its reader is busy: then the number waits, and a kill
        // loses an acknowledgement that its sender has not got. `writeSync` would throw EAGAIN.
        process.stdout.write(`${number}\n`);
      }),
    );

  while ((await store.stats()).depth > 0) await delay(20);
  await worker.close();
  await store.close();
}
