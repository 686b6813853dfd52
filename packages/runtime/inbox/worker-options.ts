import type { HandlerDecisions } from './decisions.ts';
import type { KindOptions } from './kind-options.ts';
import type { Replacement } from './receipt.ts';
import type { Retention } from './retention.ts';
import type { RetryOptions } from './retry.ts';
import type { InboxEventWithPayload, InboxStore } from './store.ts';
import type { AttemptResult, InboxTelemetry } from './telemetry.ts';

/** What a handler gets beside its event. */
export interface HandlerContext extends HandlerDecisions {
  /** Aborts at the time limit, when the claim is lost, and when the worker stops without waiting. */
  readonly signal: AbortSignal;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/**
 * Handles an event, or identifies its delivery. An error makes the event be tried again, unless the handler decides
 * something else with its context. Effects outside the store can happen more than once: use `event.id` as their
 * idempotency key.
 */
export type InboxHandler<Scope, Result> = (
  event: InboxEventWithPayload,
  context: HandlerContext & Scope,
) => Result | readonly Result[] | Replacement | Promise<Result | readonly Result[] | Replacement>;

/** An event whose attempt failed, and why. */
export interface FailedEvent {
  readonly event: InboxEventWithPayload;
  readonly error: unknown;
}

/** An attempt that has ended, and how: for logs and metrics. */
export interface EndedAttempt extends AttemptResult {
  readonly event: InboxEventWithPayload;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** The options of `createWorker`. */
export interface WorkerOptions<Scope, Result> {
  readonly store: InboxStore<Scope, Result>;
  readonly handle: InboxHandler<Scope, Result>;
  /** The maximum number of handlers that run at the same time. Default: 10. */
  readonly concurrency?: number;
  readonly retry?: RetryOptions;
  /** Milliseconds after which an attempt has failed, unless its handler calls `extendTimeout`. Default: 60,000. */
  readonly attemptTimeoutMs?: number;
  /**
   * What differs by the kind of an event, as it is stored. An event of no kind, such as a delivery that its receiver could
   * not identify, has the limits of the worker until a worker has identified it.
   */
  readonly kinds?: Readonly<Record<string, KindOptions | undefined>>;
  /**
   * What happens to the later events of a key after a dead letter. `wait`: none is handled until an operator retries or
   * discards it. `skip`: the next one is handled. Default: `wait`.
   */
  readonly afterDeadLetter?: 'wait' | 'skip';
  /** Returns whether an error remains in every further attempt. The event is then a dead letter at once. */
  readonly isPermanent?: (error: unknown) => boolean;
  /**
   * Observes attempts. Is called after each attempt, also a successful one, unless its end could not be recorded, which
   * `onError` gets. Nothing waits for what it returns. `failed` and `dead` have the error of the handler, and `postponed`
   * that of its `retryAt`. Without it, each cause of a failed attempt is reported once as a process warning, with the
   * class and the code of the error and the first frame of its stack. The same is true of the errors that the listeners
   * below get.
   */
  readonly onEvent?: (attempt: EndedAttempt) => unknown;
  /**
   * Is called after a dead letter is recorded, and again until it succeeds within 30 seconds: after 1 second, then 2, 4,
   * and so on up to 10 minutes, also by other workers of the store that have this option. It is called at least once for
   * each letter that is still one, and by one worker at a time. In a later call, the error is an InboxError `dead-letter`
   * whose message is what is stored about the error. Letters that a worker without this option left are included. No
   * handler waits for it: at most ten calls are in progress, and the alerts of further letters are given later.
   */
  readonly onDeadLetter?: (letter: FailedEvent) => unknown;
  /** Is called with errors of the store, of `onEvent` and of `onDeadLetter`. The worker continues. */
  readonly onError?: (error: unknown) => unknown;
  /**
   * Returns what is stored about an error, at most 1,000 characters. Default: its name and its `code`. Return the
   * message as well only if the messages of your errors contain no personal data.
   */
  readonly describeError?: (error: unknown) => string;
  readonly telemetry?: InboxTelemetry;
  /** Deletes by age. Default: nothing is deleted by itself. */
  readonly retention?: Retention;
  /** Milliseconds between two looks for events that other processes stored. Default: 100. */
  readonly pollIntervalMs?: number;
  /** Milliseconds for which a claim holds without renewal, at most 30,000. Default: 20,000. */
  readonly leaseMs?: number;
  /**
   * The number of attempts in a row that end without a result, because the process ends or loses its lease, after which
   * an event is a dead letter; at least 2. After the first one, the event runs alone, so that events beside one that ends
   * its process are not blamed. After the second one, it runs alone in a worker that has lived for `leaseMs`, then for
   * three and nine times as long, so that a process that restarts in a loop for another reason blames no event.
   * Default: 5.
   */
  readonly maxInterruptions?: number;
  /** Returns a number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** The state of a worker or a receiver, and of the store. What concerns the store is undefined if it fails. */
export interface Readiness {
  /**
   * Whether the worker claims events: false if it is stopped, or the store fails. It does not depend on the events.
   * Whether a receiver can store deliveries: false if the store fails or its backlog is full.
   */
  readonly ready: boolean;
  /** The events that can be handled now, and those that wait only for events that can. */
  readonly backlog: number | undefined;
  /** Milliseconds for which the oldest event waits that can be handled or is in work. */
  readonly oldestAgeMs: number | undefined;
  /** The keys that wait for a later attempt, or for an operator who decides about a dead letter. */
  readonly blockedKeys: number | undefined;
  /** The dead letters that wait for an operator. */
  readonly deadLetters: number | undefined;
}

/** Handles the events of a store. */
export interface InboxWorker {
  /**
   * Ends the worker: stops claiming, waits for running handlers, and gives the other claims back. Handlers that run
   * longer than `graceMs` get their signal aborted, and their events go back. Default: 30,000.
   */
  close(options?: { graceMs?: number }): Promise<void>;
  readiness(): Promise<Readiness>;
}
