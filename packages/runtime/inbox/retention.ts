import { setTimeout as delay } from 'node:timers/promises';
import { InboxError } from './inbox-error.ts';
import type { InboxOperations } from './store.ts';

/** What is deleted by age, in parts. Dead events and their payloads stay until an operator deals with them. */
export interface Retention {
  /** Milliseconds after its last event was finished, after which a receipt with its payload is deleted. */
  readonly finishedAfterMs: number;
  /**
   * Milliseconds after which the identity of an event is forgotten, at least `finishedAfterMs`. A repetition after this
   * time is stored as a new event. Default: identities are kept.
   */
  readonly identitiesAfterMs?: number;
  /** Milliseconds after which a record of what an operator did is deleted. Default: 34,560,000,000 (400 days). */
  readonly auditAfterMs?: number;
  /** The maximum number of such records; the oldest ones are deleted. Default: 1,000,000. */
  readonly maxAuditRecords?: number;
  /** Milliseconds between two deletions. The first one is when the worker starts. Default: 600,000 (ten minutes). */
  readonly intervalMs?: number;
}

/** Under this name, the audit list records what is deleted by age. */
export const retentionActor = 'retention';

/** The number of receipts, of identities, and of records that are deleted at once: deliveries wait for as long as this takes. */
const batchSize = 500;

/** A running retention. */
export interface RunningRetention {
  /** Waits for the deletion that runs. No other one is started. */
  stop(): Promise<void>;
}

/**
 * Deletes by age at once and then at an interval, until it is stopped. Failures are reported, and tried again at the
 * next time.
 * @throws InboxError `invalid-option`
 */
export function startRetention(
  store: Pick<InboxOperations, 'delete' | 'pruneAudit'>,
  retention: Retention,
  { clock, report }: { clock: () => number; report: (error: unknown) => void },
): RunningRetention {
  const { finishedAfterMs, identitiesAfterMs, intervalMs = 600_000 } = retention;
  const { auditAfterMs = 400 * 86_400_000, maxAuditRecords = 1_000_000 } = retention;
  if (!(finishedAfterMs >= 0 && finishedAfterMs < Infinity))
    throw new InboxError(
      'invalid-option',
      '`retention.finishedAfterMs` must be a number of milliseconds, at least 0',
    );
  if (
    identitiesAfterMs !== undefined &&
    !(identitiesAfterMs >= finishedAfterMs && identitiesAfterMs < Infinity)
  )
    throw new InboxError(
      'invalid-option',
      '`retention.identitiesAfterMs` must be a number of milliseconds, at least `finishedAfterMs`',
    );
  if (!(auditAfterMs >= 0 && auditAfterMs < Infinity))
    throw new InboxError(
      'invalid-option',
      '`retention.auditAfterMs` must be a number of milliseconds, at least 0',
    );
  if (!(Number.isSafeInteger(maxAuditRecords) && maxAuditRecords >= 0))
    throw new InboxError(
      'invalid-option',
      '`retention.maxAuditRecords` must be an integer, at least 0',
    );
  // A timer of Node holds at most a 32-bit number.
  if (!(intervalMs > 0 && intervalMs < 2 ** 31))
    throw new InboxError('invalid-option', '`retention.intervalMs` must be above 0 and below 2^31');
  const stop = new AbortController();
  const { signal } = stop;

  async function deleteByAge(): Promise<void> {
    const now = clock();
    const request = {
      finishedBefore: now - finishedAfterMs,
      ...(identitiesAfterMs === undefined ? {} : { identitiesBefore: now - identitiesAfterMs }),
      maxDeleted: batchSize,
    };
    while (!signal.aborted) {
      const { receipts, identities } = await store.delete(request, retentionActor);
      if (receipts < batchSize && identities < batchSize) return;
    }
  }

  async function pruneAudit(): Promise<void> {
    const request = {
      before: clock() - auditAfterMs,
      maxRecords: maxAuditRecords,
      maxDeleted: batchSize,
    };
    while (!signal.aborted) if ((await store.pruneAudit(request)) < batchSize) return;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await deleteByAge().catch(report);
      // The deletions above are recorded, too.
      await pruneAudit().catch(report);
      // The process may end while the next deletion is awaited.
      await delay(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async stop() {
      stop.abort();
      await running;
    },
  };
}
