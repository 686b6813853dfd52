// Stores deliveries before they are acknowledged. This is the entry of the part.

import { credentialHeaders } from '../base/index.ts';
import { InboxError, type InboxErrorCode, isInboxError, isTimeLimit, runWithin } from './errors.ts';
import { createReceiptId, type InboxDelivery, type InboxStore, type Received } from './store.ts';
import { type InboxTelemetry, telemetryHeader } from './telemetry.ts';
import { type InboxWorker, type Readiness, toReadiness, unavailable } from './worker.ts';

export {
  encryptedStore,
  type CipherContext,
  type EncryptedStoreOptions,
  type PayloadCipher,
  exportEvents,
  type ExportedEvent,
  type ExportOptions,
  type WithheldReason,
} from './encrypted-store.ts';
export { InboxError, type InboxErrorCode } from './errors.ts';
export type { RetryOptions } from '../base/index.ts';
export {
  changedStates,
  type ChangeAction,
  type ChangeGroup,
  type ChangePreview,
  eventStates,
  type EventState,
  type Failpoint,
  type DeliveryContent,
  type InboxDelivery,
  type Receipt,
  type Received,
  type ReceivedEvent,
  type Replacement,
  type StoreResult,
  type EventViolation,
  type Rejection,
  retentionActor,
  type Retention,
  maxLeaseMs,
  type AlertReference,
  type AuditPruning,
  type AuditRecord,
  type Blocker,
  type Claim,
  type ClaimRequest,
  type DeadLetterAlert,
  type DeletionRequest,
  type DeletionResult,
  type EventFilter,
  type EventPage,
  type Failure,
  type InboxEvent,
  type InboxEventWithPayload,
  type InboxOperations,
  type InboxStats,
  type InboxStore,
  type PageRequest,
  type InterruptedSelection,
  type KindShare,
} from './store.ts';
export type { AttemptResult, InboxTelemetry } from './telemetry.ts';
export {
  type HandlerDecisions,
  type KindOptions,
  createWorker,
  type EndedAttempt,
  type FailedEvent,
  type HandlerContext,
  type InboxHandler,
  type InboxWorker,
  type Readiness,
  type WorkerOptions,
} from './worker.ts';

/** The options of `createInbox`. */
export interface InboxOptions<Scope, Result> {
  readonly store: InboxStore<Scope, Result>;
  /**
   * The maximum number of events to handle. A delivery above it is refused. Events that wait for a later attempt or behind
   * a dead letter do not count. Default: no maximum.
   */
  readonly maxBacklogEvents?: number;
  readonly telemetry?: InboxTelemetry;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** Why the last delivery was not stored that could not be. */
export interface ReceiptFailure {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The code of the error, such as `store-failed` or `backlog-full`. */
  readonly code: InboxErrorCode;
}

/** Stores deliveries before they are acknowledged. */
export interface Inbox<Scope, Result> {
  readonly store: InboxStore<Scope, Result>;
  /**
   * Stores a delivery. Resolves after the commit is durable. Answer 503 if it rejects.
   * @throws InboxError `store-failed` if the delivery is not stored, or if that is not known; `backlog-full`;
   * `invalid-option` for a delivery without an event
   */
  receive(delivery: InboxDelivery): Promise<Received>;
  /**
   * Returns whether deliveries can be stored. Tries it, unless one was stored since the last call and none failed after
   * it. Rejects if the store fails.
   */
  readiness(): Promise<Readiness>;
  /** Returns the last failure of `receive` in this process, also if later deliveries were stored. */
  lastFailure(): ReceiptFailure | undefined;
}

/** Headers that contain credentials, and the one that only an inbox writes: those of senders are not stored. */
const refusedHeaders: ReadonlySet<string> = new Set([telemetryHeader, ...credentialHeaders]);

/**
 * Creates an inbox over a store.
 * @throws InboxError `invalid-option`
 */
export function createInbox<Scope, Result>(
  options: InboxOptions<Scope, Result>,
): Inbox<Scope, Result> {
  const { store, maxBacklogEvents, telemetry, clock = () => Date.now() } = options;
  if (
    maxBacklogEvents !== undefined &&
    !(Number.isSafeInteger(maxBacklogEvents) && maxBacklogEvents > 0)
  )
    throw new InboxError('invalid-option', '`maxBacklogEvents` must be an integer above 0');

  let lastFailure: ReceiptFailure | undefined;
  /** Whether a delivery was stored since storing was last tried, and none failed after it. */
  let hasStored = false;

  async function receive(delivery: InboxDelivery): Promise<Received> {
    try {
      const received = await storeDelivery(delivery);
      hasStored ||= received.status === 'stored';
      return received;
    } catch (error) {
      const code = isInboxError(error) ? error.code : 'store-failed';
      // An invalid delivery says nothing about the store.
      if (code !== 'invalid-option') {
        hasStored = false;
        lastFailure = { at: clock(), code };
      }
      throw error;
    }
  }

  async function readiness(): Promise<Readiness> {
    if (!hasStored) await store.tryToStore();
    hasStored = false;
    const stats = await store.stats();
    const hasRoom = maxBacklogEvents === undefined || stats.backlog < maxBacklogEvents;
    return toReadiness(hasRoom, stats);
  }

  async function storeDelivery(delivery: InboxDelivery): Promise<Received> {
    if (delivery.events.length === 0)
      throw new InboxError('invalid-option', 'A delivery must have at least one event');
    const receivedAt = clock();
    const receiptId = createReceiptId(receivedAt);
    const events = await store.receive(
      {
        ...delivery,
        headers: [
          ...delivery.headers.filter(([name]) => !refusedHeaders.has(name.toLowerCase())),
          ...(telemetry === undefined ? [] : [[telemetryHeader, '1'] as const]),
        ],
        id: receiptId,
        receivedAt,
      },
      maxBacklogEvents === undefined ? {} : { maxBacklogEvents },
    );
    const stored = events.some(({ status }) => status === 'stored');
    return { status: stored ? 'stored' : 'duplicate', receiptId, events };
  }

  return {
    store,
    readiness,
    lastFailure: () => lastFailure,
    receive: async (delivery) =>
      telemetry === undefined
        ? await receive(delivery)
        : await telemetry.receive(delivery, receive),
  };
}

/** The answer to a request of a platform. It contains no error and no data of an event. */
export interface ProbeAnswer {
  readonly status: 200 | 404 | 405 | 503;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. Empty for HEAD. */
  readonly body: string;
}

/** Answers the requests of a platform about a process. */
export interface Probes {
  /**
   * Answers `GET` and `HEAD` of paths that end in `/live` or `/ready`. A query is ignored. Never rejects.
   * @param path the path of the request, or its URL
   */
  answer(method: string, path: string): Promise<ProbeAnswer>;
  /** Does the same for a Web-standard request. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Creates the probes of a worker, or of a receiver that stores in an inbox. Liveness does not call the store. Readiness
 * is whether the worker claims events, or whether the receiver can store deliveries. It is 503 after `timeoutMs` if the
 * store does not answer (default: 2,000), and calls the store once for all requests that wait at the same time.
 * @throws InboxError `invalid-option`
 */
export function createProbes(
  source:
    | Pick<InboxWorker, 'readiness'>
    | Pick<Inbox<unknown, unknown>, 'readiness' | 'lastFailure'>,
  { timeoutMs = 2000 }: { readonly timeoutMs?: number } = {},
): Probes {
  if (!isTimeLimit(timeoutMs))
    throw new InboxError('invalid-option', '`timeoutMs` must be above 0 and below 2^31');
  let pending: Promise<Readiness> | undefined;

  async function readiness(): Promise<Readiness> {
    // A store that hangs would get another call with each request.
    pending ??= source.readiness().finally(() => {
      pending = undefined;
    });
    const shared = pending;
    try {
      return await runWithin(timeoutMs, new AbortController().signal, async () => await shared);
    } catch {
      return unavailable;
    }
  }

  /** Returns the last failure of a receiver: its time and its code, which is a word of this package. */
  function describeFailure(): object {
    if (!('lastFailure' in source)) return {};
    const { at, code } = source.lastFailure() ?? {};
    if (at === undefined) return { lastFailure: null };
    return { lastFailure: { at: new Date(at).toISOString(), code } };
  }

  async function answer(method: string, path: string): Promise<ProbeAnswer> {
    const [, probe] = /\/(live|ready)(?:[?#].*)?$/su.exec(path) ?? [];
    if (probe === undefined) return toAnswer(method, 404, { error: 'not found' });
    if (method !== 'GET' && method !== 'HEAD')
      return toAnswer(method, 405, { error: 'method not allowed' }, { allow: 'GET, HEAD' });
    if (probe === 'live') return toAnswer(method, 200, { live: true });
    const { ready, backlog = null, oldestAgeMs = null, ...more } = await readiness();
    const { blockedKeys = null, deadLetters = null } = more;
    const figures = { ready, backlog, oldestAgeMs, blockedKeys, deadLetters };
    return toAnswer(method, ready ? 200 : 503, { ...figures, ...describeFailure() });
  }

  return {
    answer,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const { status, headers, body } = await answer(request.method, pathname);
      return new Response(body === '' ? null : body, { status, headers });
    },
  };
}

function toAnswer(
  method: string,
  status: ProbeAnswer['status'],
  content: object,
  headers: Readonly<Record<string, string>> = {},
): ProbeAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: method === 'HEAD' ? '' : JSON.stringify(content),
  };
}
