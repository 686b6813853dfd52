// Handles the events of an inbox: claims, attempts, retries, decisions of handlers, and alerts.

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createFailureWarnings,
  createRetry,
  type NextDelay,
  type RetryOptions,
  unknownOption,
  type WarnOfFailure,
} from '../base/index.ts';
import {
  createDeferred,
  describeError,
  InboxError,
  type InboxErrorCode,
  isInboxError,
  isTimeLimit,
  runWithin,
} from './errors.ts';
import { maxAlertDelayMs, unreadable } from './rows.ts';
import {
  type AlertReference,
  type Claim,
  type ClaimRequest,
  type InboxEventWithPayload,
  type InboxStats,
  type InboxStore,
  type InterruptedSelection,
  maxLeaseMs,
  rejectionOf,
  type Replacement,
  type Retention,
  type RunningRetention,
  startRetention,
} from './store.ts';
import { type AttemptResult, type InboxTelemetry, warnOfOneSide } from './telemetry.ts';

/** Creates the error for an option that is unknown or out of range. */
function invalidOption(fault: string): InboxError {
  return new InboxError('invalid-option', fault);
}

/**
 * Checks that an object has no other options than the known ones, which the error names.
 * @throws InboxError `invalid-option`
 */
function checkNames(name: string, options: object, names: ReadonlySet<string>): void {
  const unknown = Object.keys(options).find((option) => !names.has(option));
  if (unknown !== undefined) throw invalidOption(unknownOption(name, unknown, names));
}

/** How many failed events a worker claims. */
interface RetryShare {
  /** Before any first attempt. */
  readonly minRetries: number;
  readonly maxRetries: number;
}

/**
 * Returns how many failed events a worker claims. A quarter of its handlers is kept for first attempts, so that events
 * which fail do not delay others, and a quarter for further attempts. A worker with one handler alternates.
 * @param retriesInWork the number of failed events in work
 * @param lastWasRetry whether the worker claimed a failed event last
 */
export function retryShare(
  concurrency: number,
  retriesInWork: number,
  lastWasRetry: boolean,
): RetryShare {
  if (concurrency === 1) return { minRetries: lastWasRetry ? 0 : 1, maxRetries: 1 };
  const kept = Math.ceil(concurrency / 4);
  return {
    minRetries: Math.max(0, Math.max(1, Math.floor(concurrency / 4)) - retriesInWork),
    maxRetries: Math.max(0, concurrency - kept - retriesInWork),
  };
}

/**
 * The decisions that a handler can make about its event, instead of returning a result. The first three methods end the
 * attempt: they throw, and nothing that the handler has written with the store takes effect. The first decision of an
 * attempt counts, even if the handler catches the error of the method.
 */
export interface HandlerDecisions {
  /**
   * Lets the event be tried again at a time, instead of after the usual delay. The attempt counts, so that the
   * event is a dead letter after the last one. Later events of its key wait.
   * @param reason what operators see; without personal data, at most 1,000 characters
   * @throws InboxError `invalid-option` for an invalid time or an empty reason, which makes the attempt fail
   */
  readonly retryAt: (at: Date, reason: string) => never;
  /**
   * Makes the event a dead letter at once.
   * @param reason what operators see; without personal data, at most 1,000 characters
   * @throws InboxError `invalid-option` for an empty reason, which makes the attempt fail
   */
  readonly deadLetter: (reason: string) => never;
  /** Completes the event. */
  readonly completeWithoutEffect: () => never;
  /**
   * Lets the attempt take at least so many milliseconds from now. The lease is renewed without it.
   * @throws the reason of `signal` if the attempt has ended already, and InboxError `invalid-option` for a number that is
   * not above 0 and below 2^31
   */
  readonly extendTimeout: (attemptTimeoutMs: number) => void;
}

/** A decision of a handler. Operators see the message of the error. */
type Decision =
  | { readonly action: 'retry'; readonly error: InboxError; readonly at: number }
  | { readonly action: 'bury'; readonly error: InboxError }
  | { readonly action: 'complete'; readonly error: InboxError };

/**
 * Creates the methods with which a handler decides. They throw the reason of `signal` after it is aborted.
 * @param decide is called with each decision before the method throws
 * @param extend is called with the milliseconds that the attempt may take from now
 */
function createDecisions(
  signal: AbortSignal,
  decide: (decision: Decision) => void,
  extend: (attemptTimeoutMs: number) => void,
): HandlerDecisions {
  const end = (decision: Decision): never => {
    signal.throwIfAborted();
    decide(decision);
    throw decision.error;
  };
  return {
    retryAt(at, reason) {
      const time = at instanceof Date ? at.getTime() : Number.NaN;
      if (Number.isNaN(time))
        throw new InboxError('invalid-option', 'The time of `retryAt` must be a valid Date');
      const error = new InboxError('postponed', checkReason('retryAt', reason));
      return end({ action: 'retry', error, at: time });
    },
    deadLetter(reason) {
      const error = new InboxError('dead-letter', checkReason('deadLetter', reason));
      return end({ action: 'bury', error });
    },
    completeWithoutEffect() {
      const error = new InboxError('without-effect', 'The handler completes its event');
      return end({ action: 'complete', error });
    },
    extendTimeout(attemptTimeoutMs) {
      signal.throwIfAborted();
      if (!isTimeLimit(attemptTimeoutMs))
        throw new InboxError(
          'invalid-option',
          'The time of `extendTimeout` must be above 0 and below 2^31',
        );
      extend(attemptTimeoutMs);
    },
  };
}

/** @throws InboxError `invalid-option` */
function checkReason(method: 'retryAt' | 'deadLetter', reason: string): string {
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new InboxError('invalid-option', `\`${method}\` needs a reason for operators`);
  return reason;
}

/** How the events of a kind are handled, if it differs from other kinds. */
export interface KindOptions {
  /**
   * The maximum number of handlers of this kind that run at the same time in this worker, within its `concurrency`.
   * Default: that of the worker.
   */
  readonly concurrency?: number;
  /** Milliseconds after which an attempt has failed, unless its handler extends them. Default: that of the worker. */
  readonly attemptTimeoutMs?: number;
  /** When its failed events are tried again. Each default is that of the worker's `retry`. */
  readonly retry?: RetryOptions;
}

/** How long the attempts of an event may take, and when they are repeated. */
interface AttemptLimits {
  readonly timeoutMs: number;
  readonly nextDelay: NextDelay;
}

/** The options of a worker that limit attempts. */
interface LimitingOptions {
  readonly attemptTimeoutMs?: number;
  readonly retry?: RetryOptions;
  readonly kinds?: Readonly<Record<string, KindOptions | undefined>>;
}

const knownKindOptions: ReadonlySet<string> = new Set(['concurrency', 'attemptTimeoutMs', 'retry']);

/**
 * Returns the limits of the attempts of each kind. `random` returns a number from 0 to 1.
 * @throws InboxError `invalid-option`
 */
function limitsByKind(
  { attemptTimeoutMs: timeoutMs = 60_000, retry = {}, kinds = {} }: LimitingOptions,
  random: () => number,
): (kind: string | undefined) => AttemptLimits {
  checkTime('attemptTimeoutMs', timeoutMs);
  const ofOthers = { timeoutMs, nextDelay: createRetry(retry, random, 'retry', invalidOption) };
  const ofKinds = new Map<string | undefined, AttemptLimits>();
  for (const [kind, options = {}] of Object.entries(kinds)) {
    const name = `kinds.${kind}`;
    const { concurrency = 1, attemptTimeoutMs = timeoutMs, retry: ofKind = {} } = options;
    checkNames(name, options, knownKindOptions);
    if (!(Number.isSafeInteger(concurrency) && concurrency > 0))
      throw new InboxError('invalid-option', `\`${name}.concurrency\` must be an integer above 0`);
    checkTime(`${name}.attemptTimeoutMs`, attemptTimeoutMs);
    const nextDelay = createRetry(
      withDefaults(ofKind, retry),
      random,
      `${name}.retry`,
      invalidOption,
    );
    ofKinds.set(kind, { timeoutMs: attemptTimeoutMs, nextDelay });
  }
  return (kind) => ofKinds.get(kind) ?? ofOthers;
}

/** Returns the maximum number of handlers of each kind that sets one. */
function concurrencyOfKinds(kinds: LimitingOptions['kinds'] = {}): ReadonlyMap<string, number> {
  const stated = new Map<string, number>();
  for (const [kind, options] of Object.entries(kinds))
    if (options?.concurrency !== undefined) stated.set(kind, options.concurrency);
  return stated;
}

/** Returns the options of a kind, with those of the worker if they are omitted or undefined. */
function withDefaults(ofKind: RetryOptions, ofWorker: RetryOptions): RetryOptions {
  const stated = Object.entries(ofKind).filter(([, value]) => value !== undefined);
  return { ...ofWorker, ...Object.fromEntries(stated) };
}

function checkTime(name: string, milliseconds: number): void {
  if (!isTimeLimit(milliseconds))
    throw new InboxError('invalid-option', `\`${name}\` must be above 0 and below 2^31`);
}

/** The context of an attempt, which a handler gets beside its event. */
export interface HandlerContext extends HandlerDecisions {
  /** Aborts at the time limit, when the claim is lost, and when the worker stops without waiting. */
  readonly signal: AbortSignal;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/**
 * Handles an event, or identifies its delivery. After an error, the event is tried again, unless the handler decides
 * something else with its context. Effects outside the store can happen more than once: use `event.id` as their
 * idempotency key.
 */
export type InboxHandler<Scope, Result> = (
  event: InboxEventWithPayload,
  context: HandlerContext & Scope,
) => Result | readonly Result[] | Replacement | Promise<Result | readonly Result[] | Replacement>;

/** An event whose attempt failed, with the reason. */
export interface FailedEvent {
  readonly event: InboxEventWithPayload;
  readonly error: unknown;
}

/** An attempt that has ended, with its outcome, for logs and metrics. */
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
   * Limits by the kind of an event, as it is stored. An event of no kind, such as a delivery that its receiver could
   * not identify, has the limits of the worker until a worker has identified it.
   */
  readonly kinds?: Readonly<Record<string, KindOptions | undefined>>;
  /**
   * Decides about the later events of a key after a dead letter. `wait`: none is handled until an operator retries or
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
   * Is called after a dead letter is recorded, and again until it succeeds within 30 seconds: after 1 second, then 2,
   * 4, and so on up to 10 minutes, also by other workers of the store that have this option. It is called at least once
   * for each letter that is still one, and by one worker at a time. In a later call, the error is an InboxError
   * `dead-letter` whose message is the stored description of the error. Letters that a worker without this option left
   * are included. No handler waits for it: at most ten calls are in progress, and the alerts of further letters are
   * given later.
   */
  readonly onDeadLetter?: (letter: FailedEvent) => unknown;
  /** Is called with errors of the store, of `onEvent` and of `onDeadLetter`. The worker continues. */
  readonly onError?: (error: unknown) => unknown;
  /**
   * Returns the description of an error that is stored, at most 1,000 characters. Default: its name and its `code`.
   * Return the message as well only if the messages of your errors contain no personal data.
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

/** The state of a worker or a receiver, and of the store. Members about the store are undefined if it fails. */
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

/** The readiness while the store does not answer. */
export const unavailable: Readiness = {
  ready: false,
  backlog: undefined,
  oldestAgeMs: undefined,
  blockedKeys: undefined,
  deadLetters: undefined,
};

/** Returns the readiness of a process with the figures of its store. */
export function toReadiness(ready: boolean, stats: InboxStats): Readiness {
  const { backlog, oldestAgeMs, blockedKeys, byState } = stats;
  return { ready, backlog, oldestAgeMs, blockedKeys, deadLetters: byState.dead };
}

/** The part of a request that selects the events to claim. */
type ClaimShare = Pick<ClaimRequest, 'minRetries' | 'maxRetries' | 'kinds'>;

/**
 * Shares the handlers of a worker between first and further attempts. The handlers that a kind can have at most are
 * shared in the same way, so that failed events of the kind do not delay its others.
 */
class ClaimShares {
  readonly #all: Handlers;
  readonly #stated: ReadonlyMap<string, number>;
  readonly #ofKinds = new Map<string, Handlers>();

  constructor(concurrency: number, concurrencyOfKinds: ReadonlyMap<string, number>) {
    this.#all = new Handlers(concurrency);
    this.#stated = concurrencyOfKinds;
    for (const [kind, ofKind] of concurrencyOfKinds) this.#ofKinds.set(kind, new Handlers(ofKind));
  }

  /** Keeps half of the handlers for other kinds while the last attempt of a kind failed, unless its number is stated. */
  recordEnd(kind: string | undefined, hasFailed: boolean): void {
    if (kind === undefined || this.#stated.has(kind)) return;
    if (!hasFailed) this.#ofKinds.delete(kind);
    else if (!this.#ofKinds.has(kind))
      this.#ofKinds.set(kind, new Handlers(Math.ceil(this.#all.concurrency / 2)));
  }

  /** Returns what can be claimed beside the claims in work. */
  next(inWork: Iterable<Claim>): ClaimShare {
    const claims = [...inWork];
    const share = this.#all.share(claims);
    if (this.#ofKinds.size === 0) return share;
    const kinds = Array.from(this.#ofKinds, ([kind, handlers]) => {
      const ofKind = claims.filter(({ event }) => event.kind === kind);
      const maxEvents = Math.max(0, handlers.concurrency - ofKind.length);
      return { kind, maxEvents, ...handlers.share(ofKind) };
    });
    return { ...share, kinds };
  }

  /** Records the events that were claimed. */
  record(claims: readonly Claim[]): void {
    this.#all.record(claims);
    for (const [kind, handlers] of this.#ofKinds) {
      const ofKind = claims.filter(({ event }) => event.kind === kind);
      if (ofKind.length > 0) handlers.record(ofKind);
    }
  }
}

/** A number of handlers that first and further attempts share. */
class Handlers {
  readonly concurrency: number;
  #lastWasRetry = false;

  constructor(concurrency: number) {
    this.concurrency = concurrency;
  }

  share(inWork: readonly Claim[]): RetryShare {
    return retryShare(this.concurrency, inWork.filter(isRetry).length, this.#lastWasRetry);
  }

  record(claims: readonly Claim[]): void {
    this.#lastWasRetry = claims.some(isRetry);
  }
}

/** Returns whether an event failed before. */
function isRetry({ event }: Claim): boolean {
  return event.retryAt !== undefined;
}

/** Milliseconds after which a call of `onDeadLetter` has failed. */
const alertTimeoutMs = 30_000;

/** Milliseconds for which no other process calls `onDeadLetter` for the same dead letter. */
const alertLeaseMs = 60_000;

/** Milliseconds between two searches for alerts that other processes did not give. */
const searchIntervalMs = 1000;

/** Milliseconds between two alerts that are given later: many at once would be more than a person can use. */
const minDistanceMs = 100;

/** The number of first alerts in progress above which further ones are given later. */
const maxFirstAlerts = 10;

/** Returns the delay after so many failed calls. There is no last one. */
const nextDelay = createRetry(
  { firstDelayMs: 1000, maxDelayMs: maxAlertDelayMs, attempts: Number.MAX_SAFE_INTEGER },
  () => Math.random(),
  'retry',
  invalidOption,
);

/** Calls `onDeadLetter` for each dead letter of a store, until it succeeds. */
interface Alerts {
  /** Returns whether a first alert can be given at once. Otherwise, it is given as those that others did not give. */
  hasRoom(): boolean;
  /** Gives the first alert about a dead letter. No handler waits for it. */
  give(alert: AlertReference, letter: FailedEvent): void;
  /** Waits no longer for calls in progress. Their alerts are given again after their leases. */
  abort(): void;
  /** Gives no further alerts, and waits for the calls in progress. */
  stop(): Promise<void>;
}

/**
 * Starts to give the alerts about dead letters that were not given yet: by a process that was killed, by a call that
 * failed, or because no worker had `onDeadLetter`. One at a time, and at most ten in a second.
 */
function startAlerts(
  store: Pick<InboxStore<never, never>, 'claimAlert' | 'settleAlert'>,
  onDeadLetter: (letter: FailedEvent) => unknown,
  report: (error: unknown) => void,
): Alerts {
  const aborted = new AbortController();
  const stopped = new AbortController();
  const firsts = new Set<Promise<void>>();

  /** Calls `onDeadLetter` and records the outcome. Never rejects. */
  async function give(alert: AlertReference, letter: FailedEvent): Promise<void> {
    const { signal } = aborted;
    try {
      let outcome: 'given' | { retryAfterMs: number } = 'given';
      try {
        await runWithin(alertTimeoutMs, signal, async () => await onDeadLetter(letter));
      } catch (cause) {
        if (signal.aborted) return;
        report(cause);
        outcome = { retryAfterMs: nextDelay(alert.attempt) ?? maxAlertDelayMs };
      }
      await store.settleAlert(alert, outcome);
    } catch (cause) {
      report(cause);
    }
  }

  /** Gives one alert. Returns false if none is due. */
  async function giveNext(): Promise<boolean> {
    const alert = await store.claimAlert(alertLeaseMs);
    if (alert === undefined) return false;
    const { event, reference } = alert;
    const error = new InboxError('dead-letter', event.error ?? 'The event is a dead letter');
    await give(reference, { event, error });
    return true;
  }

  async function run(): Promise<void> {
    const { signal } = stopped;
    while (!signal.aborted) {
      const hadAlert = await giveNext().catch((cause: unknown) => {
        report(cause);
        return false;
      });
      const pauseMs = hadAlert ? minDistanceMs : searchIntervalMs;
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    hasRoom: () => firsts.size < maxFirstAlerts,
    give(alert, letter) {
      const first = give(alert, letter).finally(() => firsts.delete(first));
      firsts.add(first);
    },
    abort: () => aborted.abort(),
    async stop() {
      stopped.abort();
      await Promise.all([running, ...firsts]);
    },
  };
}

/** The reason of a signal that aborts because the worker stops. */
const stopped: unique symbol = Symbol('stopped');

/** The reason of a signal that aborts because the claim was lost. */
const lost: unique symbol = Symbol('lost');

/** Milliseconds before the store is called again after it failed. */
const storePauseMs = 1000;

/** The rejection of `complete` if the store's own work failed. Neither the handler nor its effect is the cause. */
const codesOfStore: ReadonlySet<InboxErrorCode> = new Set([
  'store-failed',
  'schema-version',
  'unsafe-durability',
  'unsupported-platform',
  'closed',
]);

/** The longest description of an error that is stored. */
const maxErrorLength = 1000;

/**
 * Starts to handle the events of a store.
 * @throws InboxError `invalid-option`
 */
export function createWorker<Scope, Result>(options: WorkerOptions<Scope, Result>): InboxWorker {
  const worker = new Worker(options);
  worker.start();
  return worker;
}

class Worker<Scope, Result> implements InboxWorker {
  readonly #options: WorkerOptions<Scope, Result>;
  readonly #owner = randomUUID();
  readonly #shares: ClaimShares;
  readonly #limitsOf: (kind: string | undefined) => AttemptLimits;
  readonly #concurrency: number;
  readonly #leaseMs: number;
  readonly #pollIntervalMs: number;
  readonly #clock: () => number;
  readonly #maxInterruptions: number;
  readonly #warn: WarnOfFailure = createFailureWarnings();
  #startedAt = 0;
  /** The time of `performance.now()` at which the worker started. */
  #begunAt = 0;
  /** The time of `performance.now()` at which all claims in work were last renewed. */
  #renewedAt = 0;
  /** The claims in work, with what aborts their handlers. */
  readonly #working = new Map<Claim, AbortController>();
  readonly #running = new Set<Promise<void>>();
  #stopping: Promise<void> | undefined;
  /** Resolves when the worker stops. */
  readonly #stopped = createDeferred();
  /** Whether the last claim of the store succeeded. */
  #claims = true;
  /** The event that runs without others, because its last attempt was interrupted. */
  #alone: Claim | undefined;
  /** Whether the next claim is for other events than those that run alone. */
  #othersNext = false;
  /** Whether nothing is claimed until all handlers have ended, because an event has to run alone. */
  #draining = false;
  #loop: Promise<void> = Promise.resolve();
  #heartbeat: NodeJS.Timeout | undefined;
  #wake = createDeferred();
  /** The time of `performance.now()` before which nothing is claimed. */
  #pausedUntil = 0;
  /** The time of `performance.now()` before which nothing is claimed for less than half of the handlers. */
  #gathersUntil = 0;
  #unsubscribe: () => void = () => undefined;
  #retention: RunningRetention | undefined;
  #alerts: Alerts | undefined;
  #unobserve: (() => void) | undefined;

  constructor(options: WorkerOptions<Scope, Result>) {
    this.#options = options;
    this.#limitsOf = limitsByKind(options, options.random ?? (() => Math.random()));
    this.#concurrency = options.concurrency ?? 10;
    this.#leaseMs = options.leaseMs ?? 20_000;
    this.#pollIntervalMs = options.pollIntervalMs ?? 100;
    this.#clock = options.clock ?? (() => Date.now());
    this.#maxInterruptions = options.maxInterruptions ?? 5;
    if (!(this.#maxInterruptions >= 2))
      throw new InboxError('invalid-option', '`maxInterruptions` must be at least 2');
    if (!(Number.isSafeInteger(this.#concurrency) && this.#concurrency > 0))
      throw new InboxError('invalid-option', '`concurrency` must be an integer above 0');
    this.#shares = new ClaimShares(this.#concurrency, concurrencyOfKinds(options.kinds));
    if (!(this.#leaseMs > 0 && this.#leaseMs <= maxLeaseMs))
      throw new InboxError(
        'invalid-option',
        `\`leaseMs\` must be above 0 and at most ${maxLeaseMs}`,
      );
    if (!(this.#pollIntervalMs > 0 && this.#pollIntervalMs < 2 ** 31))
      throw new InboxError('invalid-option', '`pollIntervalMs` must be above 0 and below 2^31');
  }

  /** @throws InboxError `invalid-option` */
  start(): void {
    const { store, retention, telemetry, onDeadLetter } = this.#options;
    this.#startedAt = this.#clock();
    this.#begunAt = performance.now();
    this.#renewedAt = this.#begunAt;
    if (retention !== undefined)
      this.#retention = startRetention(store, retention, {
        clock: this.#clock,
        report: (error) => this.#report(error),
      });
    if (onDeadLetter !== undefined)
      this.#alerts = startAlerts(store, onDeadLetter, (error) => this.#report(error));
    this.#unobserve = telemetry?.observe(async () => await store.stats());
    this.#unsubscribe = store.onStored(() => this.#wake.resolve());
    this.#heartbeat = setInterval(() => void this.#beat(), this.#leaseMs / 3);
    this.#loop = this.#run();
  }

  async readiness(): ReturnType<InboxWorker['readiness']> {
    try {
      const ready = this.#claims && this.#stopping === undefined;
      return toReadiness(ready, await this.#options.store.stats());
    } catch {
      return unavailable;
    }
  }

  close({ graceMs = 30_000 }: { graceMs?: number } = {}): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  async #stop(graceMs: number): Promise<void> {
    this.#unsubscribe();
    this.#wake.resolve();
    this.#stopped.resolve();
    const abort = setTimeout(
      () => {
        for (const controller of this.#working.values()) controller.abort(stopped);
        this.#alerts?.abort();
      },
      Math.min(graceMs, 2 ** 31 - 1),
    );
    // The loop gives back what it claims after the stop.
    await this.#loop;
    await this.#retention?.stop();
    this.#unobserve?.();
    await Promise.all(this.#running);
    await this.#alerts?.stop();
    clearTimeout(abort);
    clearInterval(this.#heartbeat);
  }

  async #run(): Promise<void> {
    while (this.#stopping === undefined) {
      this.#wake = createDeferred();
      const pauseMs = this.#pausedUntil - performance.now();
      if (pauseMs > 0) {
        await this.#rest(pauseMs);
        continue;
      }
      const maxEvents = this.#freeHandlers();
      const gatherMs = this.#gathersUntil - performance.now();
      if (maxEvents > 0 && maxEvents < this.#concurrency / 2 && gatherMs > 0) {
        await this.#rest(Math.min(gatherMs, this.#pollIntervalMs));
        continue;
      }
      // A claim makes the events of ended leases claimable, also those that this worker still handles: the store was
      // away, or a handler has blocked the event loop.
      if (performance.now() - this.#renewedAt > this.#leaseMs / 2 && !(await this.#renew())) {
        this.#pause();
        continue;
      }
      if (maxEvents > 0) {
        const skippedAlone = this.#othersNext;
        const claimCount = await this.#claim(maxEvents);
        // Read before waiting: a full answer means that there can be more.
        if (claimCount === maxEvents || (claimCount === 0 && skippedAlone)) continue;
      }
      await this.#rest(this.#pollIntervalMs);
    }
  }

  /** Waits until something is stored, a handler ends, the worker stops, or the time is over. */
  async #rest(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.#wake.resolve(), milliseconds);
    await this.#wake.promise;
    clearTimeout(timer);
  }

  /** Returns how many more handlers can run. */
  #freeHandlers(): number {
    const inWork = this.#working.size;
    if (this.#alone !== undefined || (this.#draining && inWork > 0)) return 0;
    return this.#concurrency - inWork;
  }

  /**
   * Returns which interrupted events can run alone. The process may have ended for a reason outside of its handlers.
   * Therefore an event that was interrupted twice in a row runs only after the worker has lived for a lease without it, and
   * after each further interruption for three times as long. A process that ends earlier does not count against it.
   */
  #claimedAlone(): InterruptedSelection {
    const leases = (performance.now() - this.#begunAt) / this.#leaseMs;
    const maxInRow = leases < 1 ? 1 : 2 + Math.floor(Math.log(leases) / Math.log(3));
    return { maxInRow, deadFrom: Math.min(this.#maxInterruptions, Number.MAX_SAFE_INTEGER) };
  }

  /** Claims events and starts their handlers. Returns how many. */
  async #claim(maxEvents: number): Promise<number> {
    const { store } = this.#options;
    // After an event that ran alone, others have their turn.
    const isAlone = this.#working.size === 0 && !this.#othersNext;
    const start = performance.now();
    try {
      const claims = await store.claim({
        owner: this.#owner,
        maxEvents,
        leaseMs: this.#leaseMs,
        ...(isAlone
          ? { interrupted: 'alone', alone: this.#claimedAlone() }
          : { interrupted: 'none' }),
        ...this.#shares.next(this.#working.keys()),
      });
      // A claim costs the store about as much for one event as for many. Handlers that end meanwhile share the next one.
      const end = performance.now();
      this.#gathersUntil = end + (end - start);
      this.#claims = true;
      this.#draining = false;
      this.#othersNext = false;
      this.#shares.record(claims);
      if (this.#stopping !== undefined) {
        await store.release(claims);
        return 0;
      }
      for (const claim of claims) {
        if (claim.event.interruptionsInRow > 0) this.#alone = claim;
        const running = this.#work(claim).finally(() => {
          this.#running.delete(running);
          this.#wake.resolve();
        });
        this.#running.add(running);
      }
      return claims.length;
    } catch (error) {
      this.#claims = false;
      this.#report(error);
      this.#pause();
      return 0;
    }
  }

  /** Claims nothing for a while: a failing store would be called without a pause whenever a delivery arrives. */
  #pause(): void {
    this.#pausedUntil = performance.now() + storePauseMs;
  }

  async #work(claim: Claim): Promise<void> {
    const controller = new AbortController();
    this.#working.set(claim, controller);
    const { telemetry } = this.#options;
    warnOfOneSide(claim, telemetry !== undefined, this.#startedAt, this.#warn);
    const attempt = claim.event.attempts + 1;
    const run = async (): Promise<AttemptResult> => {
      const result = await this.#attempt(claim, attempt, controller.signal);
      this.#shares.recordEnd(claim.event.kind, result.outcome === 'failed');
      this.#observe(claim, attempt, result);
      return result;
    };
    try {
      await (telemetry === undefined ? run() : telemetry.attempt(claim.event, attempt, run));
    } catch (error) {
      // The claim is free again after its lease.
      this.#report(error);
      this.#pause();
    } finally {
      this.#working.delete(claim);
      if (this.#alone === claim) {
        this.#alone = undefined;
        this.#othersNext = true;
      }
    }
  }

  async #attempt(claim: Claim, attempt: number, signal: AbortSignal): Promise<AttemptResult> {
    const { store, handle } = this.#options;
    const { id, kind, interruptionsInRow } = claim.event;
    if (claim.unreadable === true) return await this.#bury(claim, unreadable(id));
    if (interruptionsInRow >= this.#maxInterruptions)
      return await this.#bury(
        claim,
        new InboxError(
          'interrupted',
          `The attempts of event ${id} ended without a result ${interruptionsInRow} times in a row`,
        ),
      );
    let called = false;
    // The handler's rejection, in an array, because it can be `undefined`.
    const thrown: unknown[] = [];
    const decisions: Decision[] = [];
    try {
      const completed = await store.complete(claim, async (scope) => {
        called = true;
        try {
          return await runWithin(
            this.#limitsOf(kind).timeoutMs,
            signal,
            async (limited, extend) => {
              const decisionMethods = createDecisions(
                limited,
                (decision) => decisions.push(decision),
                extend,
              );
              const result = await handle(claim.event, {
                ...scope,
                ...decisionMethods,
                signal: limited,
                attempt,
              });
              // A handler that catches what a decision throws must not complete its event.
              const [decision] = decisions;
              if (decision !== undefined) throw decision.error;
              return result;
            },
          );
        } catch (error) {
          thrown.push(error);
          throw error;
        }
      });
      return { outcome: completed === 'completed' ? 'handled' : completed };
    } catch (error) {
      if (thrown.includes(lost)) return { outcome: 'lost' };
      const [decision] = decisions;
      if (decision !== undefined) return await this.#apply(claim, attempt, decision);
      if (thrown.includes(stopped)) {
        await store.release([claim]);
        return { outcome: 'released' };
      }
      // A rejection of a handler is its own failure, even if it is the error of another inbox.
      const ofStore =
        thrown.length === 0 && (isInboxError(error) ? codesOfStore.has(error.code) : !called);
      if (!ofStore) return await this.#fail(claim, attempt, error);
      return await this.#giveBack(claim, error);
    }
  }

  /** Returns an event to the queue after the store failed. */
  async #giveBack(claim: Claim, error: unknown): Promise<AttemptResult> {
    this.#report(error);
    this.#pause();
    await this.#record(() => this.#options.store.release([claim]));
    return { outcome: 'released' };
  }

  /** Carries out the decision of a handler, after its store has undone the handler's writes. */
  async #apply(claim: Claim, attempt: number, decision: Decision): Promise<AttemptResult> {
    const { store } = this.#options;
    const { error } = decision;
    if (decision.action === 'complete') {
      try {
        const completed = await store.complete(claim, async () => []);
        return { outcome: completed === 'completed' ? 'without-effect' : 'lost' };
      } catch (cause) {
        // No handler ran, so only the store can have failed.
        return await this.#giveBack(claim, cause);
      }
    }
    const reason = error.message.slice(0, maxErrorLength);
    if (decision.action === 'bury') return await this.#bury(claim, error, reason);
    const { nextDelay } = this.#limitsOf(claim.event.kind);
    if (nextDelay(attempt) === undefined) return await this.#bury(claim, error, reason);
    const recorded = await this.#record(() =>
      store.fail(claim, { error: reason, rejection: rejectionOf(error), at: decision.at }),
    );
    if (recorded === 'lost') return { outcome: 'lost' };
    return { outcome: 'postponed', error };
  }

  async #fail(claim: Claim, attempt: number, error: unknown): Promise<AttemptResult> {
    const { store, onEvent } = this.#options;
    const description = this.#describe(error);
    const delay = this.#limitsOf(claim.event.kind).nextDelay(attempt);
    if (delay !== undefined && !this.#isPermanent(error)) {
      const at = this.#clock() + delay;
      const recorded = await this.#record(() =>
        store.fail(claim, { error: description, rejection: rejectionOf(error), at }),
      );
      if (recorded === 'lost') return { outcome: 'lost' };
      if (onEvent === undefined)
        this.#warn({
          code: 'COUNTERSIGN_HANDLER_FAILED',
          message: `A handler failed for ${claim.event.kind ?? 'an event of no kind'}`,
          help: `The event is tried again. ${replacedBy('onEvent')}`,
          error,
        });
      return { outcome: 'failed', error };
    }
    return await this.#bury(claim, error);
  }

  async #bury(
    claim: Claim,
    error: unknown,
    description = this.#describe(error),
  ): Promise<AttemptResult> {
    const { store, afterDeadLetter = 'wait' } = this.#options;
    const alerts = this.#alerts;
    // Without a lease, the search for alerts finds it.
    const isFirst = alerts?.hasRoom() === true;
    const rejection = rejectionOf(error);
    const buried = await this.#record(() =>
      store.bury(claim, {
        error: description,
        rejection,
        afterDeadLetter,
        ...(isFirst && { alertLeaseMs }),
      }),
    );
    if (buried === 'lost') return { outcome: 'lost' };
    if (alerts === undefined)
      this.#warn({
        code: 'COUNTERSIGN_DEAD_LETTER',
        message: `A handler failed for the last time for ${claim.event.kind ?? 'an event of no kind'}`,
        help: `The event is a dead letter and waits for an operator. ${replacedBy('onDeadLetter')}`,
        error,
      });
    else if (isFirst) {
      const now = this.#clock();
      const event = {
        ...claim.event,
        state: 'dead',
        attempts: claim.event.attempts + 1,
        error: description,
        rejection,
        retryAt: undefined,
        failedAt: now,
        finishedAt: now,
        leaseUntil: undefined,
      } as const;
      alerts.give({ id: event.id, token: claim.token, attempt: 1 }, { event, error });
    }
    return { outcome: 'dead', error };
  }

  /**
   * Records the outcome of an event. While the store fails, it is called again for as long as the lease: a lease that
   * ends would count as an interruption, as if the event had ended its process. If the store fails for this event
   * alone, such as for a damaged page, it is called three times in all: others wait for an event that runs alone.
   */
  async #record<Recorded>(run: () => Promise<Recorded>): Promise<Recorded> {
    const deadline = performance.now() + this.#leaseMs;
    let isFirst = true;
    let triesLeft = 3;
    for (;;)
      try {
        return await run();
      } catch (error) {
        if (this.#stopping !== undefined || performance.now() >= deadline) throw error;
        if (isFirst) {
          this.#report(error);
          this.#pause();
        }
        isFirst = false;
        if (await this.#storeAnswers()) triesLeft -= 1;
        if (triesLeft === 0) throw error;
        const { promise, resolve } = createDeferred();
        const timer = setTimeout(resolve, storePauseMs);
        await Promise.race([promise, this.#stopped.promise]);
        clearTimeout(timer);
      }
  }

  async #storeAnswers(): Promise<boolean> {
    try {
      await this.#options.store.hasInterrupted();
      return true;
    } catch {
      return false;
    }
  }

  #isPermanent(error: unknown): boolean {
    try {
      return this.#options.isPermanent?.(error) === true;
    } catch (cause) {
      this.#report(cause);
      return false;
    }
  }

  /** Passes an attempt that has ended to `onEvent`. Nothing waits for it: it observes. */
  #observe({ event }: Claim, attempt: number, result: AttemptResult): void {
    const { onEvent } = this.#options;
    if (onEvent === undefined) return;
    try {
      const observed: unknown = onEvent({ ...result, event, attempt });
      Promise.resolve(observed).catch((cause: unknown) => this.#report(cause));
    } catch (cause) {
      this.#report(cause);
    }
  }

  #describe(error: unknown): string {
    try {
      return (this.#options.describeError ?? describeError)(error).slice(0, maxErrorLength);
    } catch (cause) {
      this.#report(cause);
      return 'The error could not be described';
    }
  }

  /** Renews the claims in work, and finds out whether an event has to run alone. */
  async #beat(): Promise<void> {
    if (!(await this.#renew()) || this.#working.size === 0 || this.#alone !== undefined) return;
    try {
      this.#draining = await this.#options.store.hasInterrupted(this.#claimedAlone());
    } catch (error) {
      this.#report(error);
    }
  }

  /** Renews the claims in work. Returns whether the store has answered. */
  async #renew(): Promise<boolean> {
    const start = performance.now();
    const claims = [...this.#working.keys()];
    try {
      if (claims.length > 0) {
        const lostIds = new Set(await this.#options.store.extend(claims, this.#leaseMs));
        for (const claim of claims)
          if (lostIds.has(claim.event.id)) this.#working.get(claim)?.abort(lost);
      }
      this.#renewedAt = start;
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  /** Passes an error to `onError`. Never throws: the worker continues. */
  #report(error: unknown): void {
    const { onError } = this.#options;
    const warn = (): void =>
      this.#warn({
        code: 'COUNTERSIGN_WORKER_FAILED',
        message: 'The worker of an inbox failed',
        help: `The worker continues. ${replacedBy('onError')}`,
        error,
      });
    if (onError === undefined) {
      warn();
      return;
    }
    const fail = (cause: unknown): void => {
      this.#warn({
        code: 'COUNTERSIGN_LISTENER_FAILED',
        message: '`onError` failed',
        help: 'The worker continues.',
        error: cause,
      });
      warn();
    };
    try {
      const heard: unknown = onError(error);
      Promise.resolve(heard).catch(fail);
    } catch (cause) {
      fail(cause);
    }
  }
}

function replacedBy(option: string): string {
  return `The option \`${option}\` gets each error. Without it, this warning is emitted once for each cause.`;
}
