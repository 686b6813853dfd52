// Handles the deliveries that receivers forwarded to an engine, with the same handlers.

import {
  type NextDelay,
  type RetryOptions,
  type WarnOfFailure,
  createFailureWarnings,
  createRetry,
} from '../base/index.ts';
import {
  type Catalogue,
  type EventKeys,
  type Replacement,
  type StoredDelivery,
  WebhookError,
  isWebhookError,
} from './contract.ts';
import {
  type ReplayStore,
  checkFunctions,
  createMemoryReplayStore,
  receiverHeader,
  timedOut,
  within,
} from './receiver.ts';
import { parse } from './serialize.ts';
import {
  type Attempt,
  type EventRules,
  type StoredEvent,
  type StoredReactions,
  createDispatcher,
  isPermanent,
} from './stored-events.ts';

export type { RetryOptions } from '../base/index.ts';
export type { StoredDelivery, TraceContext } from './contract.ts';
export type { ReplayStore } from './receiver.ts';
export { parse, serialize } from './serialize.ts';
export type { StoredContext } from './stored-events.ts';

/** What an engine is to do with a delivery. */
export type Decision =
  /** Every event was handled, now or before: remove the delivery. */
  | { readonly outcome: 'done' }
  /** Give the delivery again, not before so many milliseconds. Later events of its order key wait. */
  | { readonly outcome: 'retry'; readonly afterMs: number; readonly reason: string }
  /** Keep the delivery for an operator, and do not give it again. */
  | {
      readonly outcome: 'dead';
      /** A code, such as `invalid-delivery`, or what a handler gave to `deadLetter`. It has no data of the delivery. */
      readonly reason: string;
    };

/** An attempt that has ended, for logs and metrics. It contains no data of the delivery. */
export interface ConsumerRecord {
  /** The id of the delivery; `undefined` for a text that is not one. */
  readonly id: string | undefined;
  /** The kinds of its events, as the receiver knew them; `null` for an event of no kind. */
  readonly kinds: readonly (string | null)[];
  readonly attempt: number;
  readonly decision: Decision;
  /** What a handler or the replay store threw. Its message can contain personal data. */
  readonly error?: unknown;
  readonly durationMs: number;
}

/** The options of every consumer. Times are milliseconds above 0 and below 2 ** 31. */
export interface ConsumerOptions {
  /**
   * Milliseconds within which the handlers of a delivery must finish; below the time for which the engine gives it to
   * nobody else. Default: 60,000.
   */
  readonly attemptTimeoutMs?: number;
  /** When a delivery whose handler failed is given again. */
  readonly retry?: RetryOptions;
  /** Returns whether an error remains in every further attempt. The delivery is then dead at once. */
  readonly isPermanent?: (error: unknown) => boolean;
  /**
   * Recognizes events that were handled before, by the identity that the contract or `identifyBy` states, and otherwise
   * by their ids: engines give a delivery more than once. Default: a store in the memory of this process.
   */
  readonly replayStore?: ReplayStore;
  /**
   * Milliseconds for which an attempt claims its events in the replay store, longer than `attemptTimeoutMs`. Default:
   * 300,000 (5 minutes).
   */
  readonly leaseMs?: number;
  /** Milliseconds within which the replay store must finish a call. Default: 5,000. */
  readonly storeTimeoutMs?: number;
  /**
   * Observes attempts. Nothing waits for what it returns. Without it, a failure is reported as a process warning, once
   * for each cause, with the class, the code and the first frame of the error.
   */
  readonly onEvent?: (record: ConsumerRecord) => unknown;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
  /** Returns a number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Handles deliveries that receivers forwarded. */
export interface Consumer {
  /**
   * Calls the handlers of the events of a delivery, one after another, and returns what the engine is to do. Never rejects
   * for a delivery, whatever its text is. It does not use `this`.
   * @param delivery what `serialize` or `parse` returned
   * @param attempt 1 for the first attempt, as the engine counts them
   * @param signal stops waiting for the handlers, such as at the end of the process: the delivery is given again
   * @throws WebhookError `invalid-option` for an attempt that is not an integer above 0
   */
  readonly consume: (
    delivery: string | StoredDelivery,
    attempt: number,
    signal?: AbortSignal,
  ) => Promise<Decision>;
}

/** What a handler or the replay store threw. */
interface Failed {
  readonly error: unknown;
}

/** How an attempt ended, with its error for the record. */
interface Ended extends Partial<Failed> {
  readonly decision: Decision;
}

/** Milliseconds until a delivery is given again that failed for a reason outside of its handlers. */
const waitMs = 5000;

/** The maximum number of characters of a reason that a handler gives. */
const maxReason = 1000;

/** A decision of a handler, which the method throws with which it decides. */
class HandlerDecision extends Error {
  override readonly name = 'HandlerDecision' as const;
  readonly decision: Decision;

  constructor(reason: string, decide: (reason: string) => Decision) {
    super(reason);
    this.decision = decide(reason.slice(0, maxReason));
  }
}

/**
 * Creates the consumer of the deliveries that the receivers of a contract forward.
 * @throws WebhookError `invalid-option`
 */
export function createConsumer(
  catalogue: Catalogue,
  options: ConsumerOptions & EventRules & EventKeys<never> & StoredReactions<object, unknown>,
): Consumer {
  const consumer = new DeliveryConsumer(catalogue, options);
  return {
    consume: async (delivery, attempt, signal) => await consumer.consume(delivery, attempt, signal),
  };
}

/** The times of a consumer, in milliseconds. */
const defaultTimes = { attemptTimeoutMs: 60_000, leaseMs: 300_000, storeTimeoutMs: 5000 };

function toTimes(options: ConsumerOptions): typeof defaultTimes {
  const times = { ...defaultTimes };
  for (const name of Object.keys(times) as (keyof typeof times)[]) {
    times[name] = options[name] ?? times[name];
    if (!(times[name] > 0 && times[name] < 2 ** 31))
      throw invalidOption(`\`${name}\` must be a number above 0 and below 2 ** 31`);
  }
  if (times.leaseMs <= times.attemptTimeoutMs)
    throw invalidOption(
      '`leaseMs` must be longer than `attemptTimeoutMs`, or an event can run twice at once',
    );
  return times;
}

function invalidOption(fault: string): WebhookError {
  return new WebhookError('invalid-option', `The consumer cannot be created: ${fault}.`);
}

/** One attempt to handle the events of a delivery. */
interface Run {
  readonly receiver: string;
  readonly attempt: number;
  /** Identifies the attempt in the replay store. */
  readonly owner: string;
  /** The keys that the attempt has claimed, and those among them whose events it has handled. */
  readonly claimed: Set<string>;
  readonly handled: Set<string>;
  /** Aborted when nothing waits for the attempt any more. */
  readonly signal: AbortSignal;
  /** What the replay store threw after an event was handled: the result stays. */
  fault?: Failed;
}

class DeliveryConsumer {
  readonly #options: ConsumerOptions;
  readonly #dispatch: (
    stored: StoredEvent,
    attempt: Attempt,
  ) => Promise<readonly unknown[] | Replacement>;
  readonly #store: ReplayStore;
  readonly #times: typeof defaultTimes;
  readonly #nextDelay: NextDelay;
  readonly #clock: () => number;
  readonly #warn: WarnOfFailure = createFailureWarnings();

  constructor(catalogue: Catalogue, options: Parameters<typeof createConsumer>[1]) {
    const { clock = () => Date.now(), random = () => Math.random() } = options;
    const { onEvent, isPermanent: isLasting, retry = {} } = options;
    const store = options.replayStore ?? createMemoryReplayStore({ clock });
    const { claim, confirm, release } = store;
    checkFunctions({
      clock,
      random,
      claim,
      confirm,
      release,
      ...(onEvent && { onEvent }),
      ...(isLasting && { isPermanent: isLasting }),
    });
    this.#times = toTimes(options);
    this.#nextDelay = createRetry(retry, random, 'retry', invalidOption);
    this.#dispatch = createDispatcher<object, unknown>(catalogue, options);
    this.#options = options;
    this.#store = store;
    this.#clock = clock;
  }

  async consume(
    delivery: string | StoredDelivery,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<Decision> {
    if (!(Number.isSafeInteger(attempt) && attempt > 0))
      throw new WebhookError('invalid-option', '`attempt` must be an integer above 0.');
    const startedAt = this.#clock();
    let parsed: StoredDelivery | undefined;
    let ended: Ended;
    try {
      parsed = typeof delivery === 'string' ? parse(delivery) : delivery;
      ended = await this.#handle(parsed, attempt, signal);
    } catch (error) {
      ended = this.#toEnded(error, attempt);
    }
    this.#record(parsed, attempt, ended, startedAt);
    return ended.decision;
  }

  /** Handles a delivery until its time is over or the signal aborts. Rejects with the error of a handler. */
  async #handle(
    delivery: StoredDelivery,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<Ended> {
    if (signal?.aborted === true) return again('stopped', 0);
    const own = new AbortController();
    let stop = (): void => undefined;
    const whenStopped = new Promise<typeof stopped>((resolve) => {
      stop = () => resolve(stopped);
    });
    signal?.addEventListener('abort', stop);
    const handling = this.#handleAll(delivery, attempt, own.signal);
    try {
      const { attemptTimeoutMs } = this.#times;
      const ended = await within(Promise.race([handling, whenStopped]), attemptTimeoutMs);
      if (ended !== timedOut && ended !== stopped) return ended;
      own.abort();
      // Nothing waits for the handlers any more. They keep their claims until they end.
      handling.catch(() => undefined);
      if (ended === stopped) return again('stopped', 0);
      const error = new Error('The handlers did not finish in time.');
      return this.#toEnded(error, attempt, 'out-of-time');
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async #handleAll(delivery: StoredDelivery, attempt: number, signal: AbortSignal): Promise<Ended> {
    const { id: receiptId, receivedAt, method, target, headers, body, events } = delivery;
    const [, receiver = ''] = headers.find(([name]) => name === receiverHeader) ?? [];
    const owner = crypto.randomUUID();
    const run: Run = { receiver, attempt, owner, claimed: new Set(), handled: new Set(), signal };
    const shared = { receiptId, receivedAt, method, target, headers, body, count: events.length };
    for (const [position, { id, kind, orderKey, identity }] of events.entries()) {
      const stored = { ...shared, id, position, kind, orderKey, identity };
      const ended = await this.#handleOnce(stored, run);
      if (ended !== undefined) return ended;
    }
    return { decision: { outcome: 'done' }, ...run.fault };
  }

  /**
   * Handles an event unless it was handled before. Returns `undefined` after that, and rejects with the error of a
   * handler.
   */
  async #handleOnce(stored: StoredEvent, run: Run): Promise<Ended | undefined> {
    const { receiver, owner, claimed, handled, signal } = run;
    if (signal.aborted) return again('stopped', 0);
    const key = stored.identity ?? `${receiver} ${stored.id}`;
    if (handled.has(key)) return undefined;
    // A delivery and an event that is identified in it can have one identity.
    if (claimed.has(key)) {
      const replacing = await this.#handleEvent(stored, run);
      if (replacing === undefined) handled.add(key);
      return replacing;
    }
    let state: unknown;
    try {
      state = await this.#claim(key, owner);
    } catch (error) {
      return { ...again('store-failed', waitMs), error };
    }
    if (state === 'seen') return undefined;
    if (state === 'busy') return again('in-progress', waitMs);
    if (state !== 'claimed') {
      const message = 'The replay store must return claimed, seen or busy for a claim.';
      const error = new WebhookError('unknown-claim', message);
      return { ...again('store-failed', waitMs), error };
    }
    claimed.add(key);
    let ended: Ended | undefined;
    try {
      ended = await this.#handleEvent(stored, run);
    } catch (error) {
      await this.#settle('release', key, run);
      throw error;
    }
    if (ended === undefined) handled.add(key);
    await this.#settle(ended === undefined ? 'confirm' : 'release', key, run);
    return ended;
  }

  /** Claims a key. A claim that succeeds after the time limit is released. */
  async #claim(key: string, owner: string): Promise<unknown> {
    const { leaseMs, storeTimeoutMs } = this.#times;
    const claiming = Promise.resolve(this.#store.claim(key, leaseMs, owner));
    const state = await within(claiming, storeTimeoutMs);
    if (state !== timedOut) return state;
    claiming
      .then((late) => (late === 'claimed' ? this.#store.release(key, owner) : undefined))
      .catch(() => undefined);
    throw new Error('The replay store did not finish in time.');
  }

  /** Confirms or releases a claim. A failure of the store does not change the decision: the work is done, or undone. */
  async #settle(method: 'confirm' | 'release', key: string, run: Run): Promise<void> {
    const { storeTimeoutMs } = this.#times;
    try {
      const settling = Promise.resolve(this.#store[method](key, run.owner));
      if ((await within(settling, storeTimeoutMs)) === timedOut)
        run.fault = { error: new Error('The replay store did not finish in time.') };
    } catch (error) {
      run.fault = { error };
    }
  }

  async #handleEvent(stored: StoredEvent, run: Run): Promise<Ended | undefined> {
    const { attempt, signal } = run;
    let decided: HandlerDecision | undefined;
    const end = (reason: string, decide: (reason: string) => Decision): never => {
      // oxlint-disable-next-line typescript/no-unnecessary-condition -- callers without types
      if (typeof reason !== 'string' || reason.trim() === '')
        throw new WebhookError('invalid-option', 'A decision needs a reason for operators.');
      throw (decided ??= new HandlerDecision(reason, decide));
    };
    const result = await this.#dispatch(stored, {
      signal,
      attempt,
      retryAt: (at, reason) => {
        const afterMs = Math.max(0, at.getTime() - this.#clock());
        if (Number.isNaN(afterMs))
          throw new WebhookError('invalid-option', 'The time of `retryAt` must be a valid Date.');
        return end(reason, (text) => ({ outcome: 'retry', afterMs, reason: text }));
      },
      deadLetter: (reason) => end(reason, (text) => ({ outcome: 'dead', reason: text })),
    });
    // A handler that catches what a decision throws must not complete its event.
    if (decided !== undefined) throw decided;
    if (!('replaceBy' in result)) return undefined;
    const { count, events } = result.replaceBy;
    for (const { position, kind, orderKey, identity } of events) {
      const id = count === 1 ? stored.id : `${stored.id}-${position}`;
      const replacing = { ...stored, id, position, count, kind, orderKey, identity };
      const ended = await this.#handleOnce({ ...replacing, identified: true }, run);
      if (ended !== undefined) return ended;
    }
    return undefined;
  }

  /** Decides about a delivery that cannot be read, or whose handler failed. */
  #toEnded(error: unknown, attempt: number, failure: string = 'handler-failed'): Ended {
    const afterMs = this.#nextDelay(attempt);
    if (error instanceof HandlerDecision) {
      const { decision } = error;
      const isLast = decision.outcome === 'retry' && afterMs === undefined;
      return isLast ? toDead(decision.reason, error) : { decision, error };
    }
    const code = isWebhookError(error) ? error.code : undefined;
    // While a new version is deployed, another consumer can read it.
    if (code === 'unknown-version') return { ...again(code, waitMs), error };
    if (code === 'malformed-record' || (code !== undefined && isPermanent(error)))
      return toDead(code, error);
    if (afterMs === undefined || this.#isPermanent(error)) return toDead(failure, error);
    return { ...again(failure, afterMs), error };
  }

  #isPermanent(error: unknown): boolean {
    try {
      return this.#options.isPermanent?.(error) === true;
    } catch (cause) {
      this.#warnOfListener('isPermanent', cause);
      return false;
    }
  }

  #record(
    delivery: StoredDelivery | undefined,
    attempt: number,
    ended: Ended,
    startedAt: number,
  ): void {
    const { onEvent } = this.#options;
    const kinds = delivery?.events.map(({ kind = null }) => kind) ?? [];
    if (onEvent === undefined) {
      this.#warnOfFailure(kinds[0] ?? 'a delivery of no kind', ended);
      return;
    }
    const durationMs = this.#clock() - startedAt;
    try {
      const heard: unknown = onEvent({ id: delivery?.id, kinds, attempt, ...ended, durationMs });
      Promise.resolve(heard).catch((cause: unknown) => this.#warnOfListener('onEvent', cause));
    } catch (cause) {
      this.#warnOfListener('onEvent', cause);
    }
  }

  #warnOfFailure(kind: string, ended: Ended): void {
    const { decision } = ended;
    // A handler that lets a delivery come later has not failed.
    const isLater = decision.outcome === 'retry' && ended.error instanceof HandlerDecision;
    if (!('error' in ended) || isLater) return;
    const [code, message] = warnings[decision.outcome];
    this.#warn({
      code,
      message: `${message} ${kind}`,
      help: 'The option `onEvent` gets the error of every attempt. Without it, this warning is emitted once for each cause.',
      error: ended.error,
    });
  }

  #warnOfListener(option: string, error: unknown): void {
    this.#warn({
      code: 'COUNTERSIGN_LISTENER_FAILED',
      message: `\`${option}\` failed`,
      help: 'The decision about the delivery does not change.',
      error,
    });
  }
}

const warnings: Readonly<Record<Decision['outcome'], readonly [code: string, message: string]>> = {
  done: ['COUNTERSIGN_STORE_FAILED', 'The replay store did not record the handling of'],
  retry: ['COUNTERSIGN_HANDLER_FAILED', 'A consumer failed for'],
  dead: ['COUNTERSIGN_DEAD_LETTER', 'A consumer failed for the last time for'],
};

/** The result of waiting for an attempt that was stopped. */
const stopped: unique symbol = Symbol('stopped');

/** Lets a delivery be given again. */
function again(reason: string, afterMs: number): Ended {
  return { decision: { outcome: 'retry', afterMs, reason } };
}

function toDead(reason: string, error: unknown): Ended {
  return { decision: { outcome: 'dead', reason }, error };
}
