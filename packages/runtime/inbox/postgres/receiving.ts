import { BlockedCount } from '../blocked-count.ts';
import { passFailpoint } from '../failpoint.ts';
import type { InboxStore } from '../store.ts';
import { prepareReceipt, writeAndDeleteReceipt, writeReceipts } from './receive.ts';
import { createReceiptQueue } from './receipt-queue.ts';
import type { StoreContext } from './store-context.ts';

/** The methods of a store that receivers use. */
export interface ReceivingMethods extends Pick<
  InboxStore<unknown, unknown>,
  'receive' | 'tryToStore' | 'onStored'
> {
  /** Resolves when the transactions of all receipts so far have ended. */
  readonly drain: () => Promise<void>;
}

/** Creates the methods of a store that receivers use. */
export function createReceivingMethods({ settings, runner, sums }: StoreContext): ReceivingMethods {
  const blockedCount = new BlockedCount();
  const listeners = new Set<() => void>();
  const receipts = createReceiptQueue(async (batch) => {
    await runner.checkServer();
    const results = await runner.transact('durable', async (query) => {
      const receiptResults = await writeReceipts(query, settings, batch, blockedCount);
      passFailpoint('receive:before-commit');
      return receiptResults;
    });
    passFailpoint('receive:before-acknowledgement');
    return results;
  }, settings.timeoutMs);

  return {
    async receive(receipt, { maxBacklogEvents } = {}) {
      const events = await runner.run(() =>
        receipts.add(prepareReceipt(receipt, maxBacklogEvents)),
      );
      sums.countTransaction();
      if (events.some(({ status }) => status === 'stored'))
        for (const listener of listeners) listener();
      return events;
    },
    tryToStore: () =>
      runner.inTransaction('durable', (query) => writeAndDeleteReceipt(query, settings)),
    onStored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drain: () => receipts.drain(),
  };
}
