import { InboxError, isInboxError } from '../inbox-error.ts';
import type { StoreResult } from '../receipt.ts';
import { maxLocks } from './locks.ts';
import type { PreparedReceipt, ReceiptResult } from './receive.ts';
import { sqlState, toStoreError } from './to-store-error.ts';

/** The maximum number of receipts in one transaction. More would delay the answer to the first. */
const maxReceipts = 128;

/** The size of the bodies, in bytes, above which a transaction takes no further receipt. */
const maxBytes = 4 * 2 ** 20;

/** The classes of errors that one receipt can cause. The transaction was rolled back. */
const classesOfOneReceipt: readonly string[] = ['22', '23', '40', '54'];

/** Writes receipts in one transaction. */
export type WriteBatch = (
  receipts: readonly PreparedReceipt[],
) => Promise<readonly ReceiptResult[]>;

/** A receipt that is not answered. */
interface Pending {
  readonly receipt: PreparedReceipt;
  readonly resolve: (events: readonly StoreResult[]) => void;
  readonly reject: (error: InboxError) => void;
}

/** Receipts that arrive while a transaction runs are written by the next one. */
export interface ReceiptQueue {
  /** Rejects with `store-failed` after the time limit: the receipt was not stored, or that is not known. */
  add(receipt: PreparedReceipt): Promise<readonly StoreResult[]>;
  /** Resolves when the transactions of all receipts so far have ended. */
  drain(): Promise<void>;
}

/** Creates a queue. It runs one transaction at a time, which needs one connection. */
export function createReceiptQueue(write: WriteBatch, timeoutMs: number): ReceiptQueue {
  const queue = new Set<Pending>();
  let running: Promise<void> | undefined;

  /** Takes receipts for one transaction, at least one. */
  function take(): Pending[] {
    const taken: Pending[] = [];
    let locks = new Set<string>();
    let bytes = 0;
    for (const pending of queue) {
      const { receipt } = pending;
      const wanted = new Set([...locks, ...receipt.locks]);
      bytes += receipt.receipt.body.byteLength;
      const full = taken.length === maxReceipts || wanted.size > maxLocks || bytes > maxBytes;
      if (full && taken.length > 0) break;
      locks = wanted;
      taken.push(pending);
      queue.delete(pending);
    }
    return taken;
  }

  async function writeAll(batch: readonly Pending[]): Promise<void> {
    try {
      const results = await write(batch.map(({ receipt }) => receipt));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (isInboxError(result)) reject(result);
        else if (result !== undefined) resolve(result);
      }
    } catch (error) {
      const ofOne = classesOfOneReceipt.includes(sqlState(error)?.slice(0, 2) ?? '');
      if (ofOne && batch.length > 1) {
        // One receipt must not fail the others.
        for (const pending of batch) await writeAll([pending]);
        return;
      }
      for (const { reject } of batch) reject(toStoreError(error));
    }
  }

  async function run(): Promise<void> {
    while (queue.size > 0) await writeAll(take());
    running = undefined;
  }

  return {
    add(receipt) {
      return new Promise((resolve, reject) => {
        const pending: Pending = {
          receipt,
          resolve: (events) => {
            clearTimeout(timer);
            resolve(events);
          },
          reject: (error) => {
            clearTimeout(timer);
            reject(error);
          },
        };
        const timer = setTimeout(() => {
          queue.delete(pending);
          reject(new InboxError('store-failed', `Nothing was stored within ${timeoutMs} ms`));
        }, timeoutMs);
        queue.add(pending);
        running ??= run();
      });
    },
    async drain() {
      await running;
    },
  };
}
