import { createDeferred } from './deferred.ts';
import { randomUUID } from 'node:crypto';
import { runWithin } from './attempt.ts';
import { ClaimShares } from './claim-shares.ts';
import { createDecisions, type Decision } from './decisions.ts';
import { describeError } from './describe-error.ts';
import { createFailureWarnings, type WarnOfFailure } from '../base/index.ts';
import { alertLeaseMs, startAlerts, type Alerts } from './give-alerts.ts';
import { InboxError, type InboxErrorCode, isInboxError } from './inbox-error.ts';
import { concurrencyOfKinds, limitsByKind, type AttemptLimits } from './kind-options.ts';
import { unreadable } from './read-event.ts';
import { toReadiness, unavailable } from './readiness.ts';
import { rejectionOf } from './rejection.ts';
import { startRetention, type RunningRetention } from './retention.ts';
import { maxLeaseMs, type Claim, type InterruptedSelection } from './store.ts';
import type { AttemptResult } from './telemetry.ts';
import { warnOfOneSide } from './telemetry-mark.ts';
import type { InboxWorker, WorkerOptions } from './worker-options.ts';

/** The reason of a signal that aborts because the worker stops. */
const stopped: unique symbol = Symbol('stopped');

/** The reason of a signal that aborts because the claim was lost. */
const lost: unique symbol = Symbol('lost');

/** Milliseconds before the store is called again after it failed. */
const storePauseMs = 1000;

/** What `complete` rejects with if the store's own work failed. Neither the handler nor its effect is the cause. */
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
    // What the handler rejected with, in an array: it can be `undefined`.
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
      // What a handler rejects with is its own failure, also if it is the error of another inbox.
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

  /** Does what a handler decided, after its store has undone what it wrote. */
  async #apply(claim: Claim, attempt: number, decision: Decision): Promise<AttemptResult> {
    const { store } = this.#options;
    const { error } = decision;
    if (decision.action === 'complete') {
      try {
        const completed = await store.complete(claim, async () => []);
        return { outcome: completed === 'completed' ? 'without-effect' : 'lost' };
      } catch (cause) {
        // No handler ran, so that only the store can have failed.
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
   * Records what happened to an event. While the store fails, it is called again, for as long as the lease: a lease that
   * ends would count as an interruption, as if the event had ended its process. Where the store fails for this event
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
