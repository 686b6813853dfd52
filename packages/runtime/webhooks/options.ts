import type { Authentication } from './authentication.ts';
import type { Catalogue } from './catalogue.ts';
import type {
  DeliveryContext,
  Handler,
  InvalidAnswer,
  InvalidDelivery,
  UnidentifiedEvent,
} from './event.ts';
import type { DeliveryInbox, EventKeys, StoredParts } from './inbox.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Deviations } from './opened-delivery.ts';
import type { Reason, Responses } from './outcome.ts';
import type { NumberMode } from '../base/number-mode.ts';
import type { ReceiverNames } from './receiver-name.ts';
import type { ReplayStore } from './replay-store.ts';
import { invalid } from './webhook-error.ts';

/** The record of a completed delivery, for logs and metrics. It contains no data of the delivery itself. */
export interface DeliveryRecord {
  /** The id of the delivery, equal to `DeliveryContext.id`. */
  readonly id: string;
  readonly reason: Reason;
  /** The HTTP status of the response. */
  readonly status: number;
  /**
   * A short code that details the reason. With `handled` or `unidentified`, `unconfirmed` means that the handlers
   * succeeded but the replay store did not record it. The same delivery can then be handled again. `unreleased` means
   * that the store did not release a claim, which expires with its lease. `deviating` means that at least one of its events
   * violates its schema and was passed to a handler of `deviations`; with that option, a code such as `not-chosen` states
   * why an invalid delivery was not.
   */
  readonly detail?: string;
  /** The kinds of its events, one for each; `null` for an event that matches no kind. */
  readonly kinds: readonly (string | null)[];
  /** Milliseconds from receiving the request to this record. */
  readonly durationMs: number;
  /** The error that a function of the application threw, or that prevents the receiver from working. */
  readonly error?: unknown;
  /**
   * Set in the second record of a delivery that ran out of time; it reports the final result of its handlers. Its
   * status is the one that was sent.
   */
  readonly late?: true;
}

/** The options of every receiver, for any contract. Numbers must be above 0 and below 2 ** 31. */
export interface ReceiverOptions<Numbers extends NumberMode = NumberMode> extends ReceiverNames {
  /** Authenticates each delivery. No handler is called before it has succeeded. */
  readonly authenticate: Authentication;
  /**
   * The path that the receiver is mounted at, without a secret in the path; labels match the rest of the path after it.
   * Without it, a label matches the end of any path.
   */
  readonly mount?: string;
  /** The accepted HTTP methods. Default: those of the contract; POST and PUT where it states none. */
  readonly methods?: readonly string[];
  /** Maximum size of a body in bytes. Default: 1,048,576 (1 MiB). */
  readonly maxBodyBytes?: number;
  /** Milliseconds within which the body must arrive. Default: 10,000. */
  readonly readTimeoutMs?: number;
  /** Milliseconds within which `authenticate` must finish. Default: 5,000. */
  readonly authenticationTimeoutMs?: number;
  /**
   * Milliseconds within which the replay store must finish all claims of a delivery, and afterwards their confirmation
   * or release. Default: 5,000.
   */
  readonly storeTimeoutMs?: number;
  /** Milliseconds within which all handlers of a delivery must finish. Default: 10,000. */
  readonly handlerTimeoutMs?: number;
  /** Whether bodies are checked for duplicate keys, prototype keys, depth and inexact numbers. Default: true. */
  readonly strict?: boolean;
  /**
   * What happens to a number that no double represents exactly: `refuse` passes the body to `onInvalid`, `text` delivers
   * the number as text. `text` requires `strict`. Default: `refuse`.
   */
  readonly numbers?: Numbers;
  /** Maximum nesting depth of objects and arrays. Default: 64. */
  readonly maxDepth?: number;
  /** Overrides of the default responses. */
  readonly responses?: Responses;
  /**
   * Kinds whose deliveries are handed over although they violate their schemas. `handOver` of the generated entry
   * `deviations` creates it. Default: none.
   */
  readonly deviations?: Deviations | undefined;
  /** An inbox is for receivers without handlers; see `StoringOptions`. */
  readonly inbox?: undefined;
  /**
   * Recognizes deliveries that were handled before. Receivers with different names can share it, see `name` and `tenant`.
   * Default: a store in the memory of this process.
   */
  readonly replayStore?: ReplayStore;
  /**
   * Milliseconds for which a delivery claims its events in the replay store. After that, an equal delivery is handled
   * even while the first is still running, so `leaseMs` must be longer than `handlerTimeoutMs`. Default: 300,000 (5
   * minutes).
   */
  readonly leaseMs?: number;
  /**
   * Observes deliveries. Called when a delivery has ended, and again for a delivery that ran out of time, when its
   * handlers are done. Nothing waits for what it returns.
   * Without it, a failure is reported as a process warning, once for each cause, with the class, the code and the first
   * frame of the error. Its own failure is reported in the same way, and does not change the response.
   */
  readonly onEvent?: (record: DeliveryRecord) => unknown;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** Options that a receiver with an inbox does not have, because a worker handles its deliveries. */
type OfHandling =
  | 'inbox'
  | 'deviations'
  | 'replayStore'
  | 'leaseMs'
  | 'handlerTimeoutMs'
  | 'numbers';

/**
 * The options of a receiver that stores authentic deliveries, valid or not, and acknowledges them. A worker handles
 * them.
 */
export interface StoringOptions<E = unknown>
  extends Omit<ReceiverOptions, OfHandling>, EventKeys<E> {
  readonly inbox: DeliveryInbox;
  /**
   * What is stored of a request beside method, path, body, and the headers and query parameters that the contract reads.
   * Do not name credentials.
   */
  readonly stored?: StoredParts;
  readonly on?: undefined;
  readonly otherwise?: undefined;
  readonly onInvalid?: undefined;
  readonly deviations?: undefined;
  readonly replayStore?: undefined;
  readonly leaseMs?: undefined;
  readonly handlerTimeoutMs?: undefined;
  readonly numbers?: undefined;
}

/** Handles what does not have a handler in `on`. */
export type Otherwise<E> =
  | Handler<UnidentifiedEvent>
  /** Handles authentic deliveries that match no kind, and every kind without a handler. */
  | { readonly rest: Handler<UnidentifiedEvent | E> };

/**
 * Handles authentic deliveries that violate the contract. Only where it returns one of the two texts of `InvalidAnswer`
 * in time, the delivery is acknowledged. With any other result, the delivery is refused, with status 422 by default.
 */
export type OnInvalid<Kind extends string = string, E = unknown> = (
  delivery: InvalidDelivery<Kind, E>,
  context: DeliveryContext,
) => MaybePromise<InvalidAnswer | undefined> | MaybePromise<void>;

/** The handlers of a receiver. */
export interface Reactions {
  /** Handlers by the name of a kind or of a union of kinds. */
  readonly on: Readonly<Record<string, Handler<never> | undefined>>;
  readonly otherwise: Otherwise<never>;
  readonly onInvalid: OnInvalid<never, never>;
}

/**
 * Returns the lookup of handlers by name; `null` is the name for deliveries that match no kind.
 * @throws WebhookError `invalid-option` where a handler has an unknown name or is missing
 */
export function assignHandlers<H extends (event: never, context: never) => unknown>(
  catalogue: Catalogue,
  {
    on,
    otherwise,
  }: {
    readonly on: Readonly<Record<string, H | undefined>>;
    readonly otherwise: H | { readonly rest: H };
  },
): (name: string | null) => H {
  const rest = typeof otherwise === 'function' ? undefined : otherwise?.rest;
  const unidentified = rest ?? (otherwise as H);
  if (typeof on !== 'object' || on === null) throw invalid('`on` must be an object');
  // A misspelled name is the reason why another one has no handler.
  const names = checkNames(catalogue, 'on', on);
  checkFunctions({ otherwise: unidentified });
  const handlers = new Map<string | null, H | undefined>();
  for (const name of names) {
    const handler = (Object.hasOwn(on, name) ? on[name] : undefined) ?? rest;
    checkFunctions({ [`on.${name}`]: handler });
    handlers.set(name, handler);
  }
  return (name) => handlers.get(name) ?? unidentified;
}

/**
 * Checks the names in an option, and returns all that it can have: those of kinds and of unions of kinds.
 * @throws WebhookError `invalid-option` for a name that the contract does not have
 */
export function checkNames(
  { kinds, unions }: Catalogue,
  option: string,
  value: Readonly<Record<string, object | undefined>> = {},
): readonly string[] {
  const names = [...kinds.keys(), ...unions.values()];
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw invalid(`\`${option}\` names ${unknown}, which is not a kind of the contract`);
  return names;
}

/** The numeric options with their defaults. */
const defaults = {
  maxBodyBytes: 1_048_576,
  readTimeoutMs: 10_000,
  authenticationTimeoutMs: 5000,
  storeTimeoutMs: 5000,
  handlerTimeoutMs: 10_000,
  maxDepth: 64,
  leaseMs: 300_000,
};

/** The limits of a receiver, in bytes, milliseconds and levels. */
export type Bounds = Readonly<typeof defaults>;

/**
 * Returns all limits, with defaults.
 * @throws WebhookError `invalid-option` for one that is not above 0 and below 2 ** 31, because timers with longer delays
 * fire at once, and for a `leaseMs` that is not longer than `handlerTimeoutMs`
 */
export function toBounds(options: {
  readonly [name in keyof Bounds]?: number | undefined;
}): Bounds {
  const bounds = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof Bounds)[]) {
    bounds[name] = options[name] ?? defaults[name];
    if (!(Number.isFinite(bounds[name]) && bounds[name] > 0 && bounds[name] < 2 ** 31))
      throw invalid(`\`${name}\` must be a number above 0 and below 2 ** 31`);
  }
  if (bounds.leaseMs <= bounds.handlerTimeoutMs)
    throw invalid(
      '`leaseMs` must be longer than `handlerTimeoutMs`, or an event can run twice at once',
    );
  return bounds;
}

/**
 * Asserts that every member is a function.
 * @throws WebhookError `invalid-option`, naming the first member that is not
 */
export function checkFunctions(members: Readonly<Record<string, unknown>>): void {
  for (const [name, member] of Object.entries(members))
    if (typeof member !== 'function')
      throw invalid(`\`${name}\` ${member === undefined ? 'is missing' : 'must be a function'}`);
}
