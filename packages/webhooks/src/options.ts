import type { Authentication } from './authentication.ts';
import type { DeliveryContext, Handler, InvalidDelivery, UnidentifiedEvent } from './event.ts';
import type { Reason, Responses } from './outcome.ts';
import type { NumberMode } from './parse-body.ts';
import type { ReplayStore } from './replay-store.ts';
import { invalid } from './webhook-error.ts';

/** What is known of a delivery when it has ended; nothing of what it said. */
export interface DeliveryRecord {
  /** The id that handlers got as well. */
  readonly id: string;
  readonly reason: Reason;
  readonly status: number;
  /**
   * What exactly is wrong, in a word of the receiver's. With `handled`, `unconfirmed`: the work is done, but the
   * replay store did not record it, so that the same delivery can be handled again.
   */
  readonly detail?: string;
  /** The kinds of its events, one for each. */
  readonly kinds: readonly (string | null)[];
  /** Milliseconds. */
  readonly duration: number;
  /** What a function of the user's threw, or what keeps the receiver from working. */
  readonly error?: unknown;
  /**
   * There in the second record of a delivery that ran out of time: how its work ended after all. The status is the
   * one that was answered before.
   */
  readonly late?: true;
}

/** Options that every receiver has, whatever its contract. */
export interface ReceiverOptions<Numbers extends NumberMode = NumberMode> {
  readonly authenticate: Authentication;
  /**
   * The path that the receiver is mounted at; a label has to follow it. Without it, a label may stand behind any
   * path.
   */
  readonly mount?: string;
  /** Default: those of the contract. */
  readonly methods?: readonly string[];
  /** Bytes a body may have. Default: 1 MiB. */
  readonly limit?: number;
  /** Milliseconds in which the body has to arrive. Default: 10,000. */
  readonly readTimeLimit?: number;
  /** Milliseconds in which `authenticate` has to answer. Default: 5,000. */
  readonly authenticationTimeLimit?: number;
  /**
   * Milliseconds in which the replay store has to answer: to all claims of a delivery, and afterwards to their
   * confirmation or release. Default: 5,000.
   */
  readonly storeTimeLimit?: number;
  /** Milliseconds in which all handlers of a delivery have to be done. Default: 10,000. */
  readonly timeLimit?: number;
  /** Whether duplicate keys, prototype keys, depth and the exactness of numbers are looked at. Default: true. */
  readonly strict?: boolean;
  /** What becomes of a number that no double holds: the body is refused, or the number arrives as text. Default: refuse. */
  readonly numbers?: Numbers;
  /** How many objects and arrays may stand in one another. Default: 64. */
  readonly maxDepth?: number;
  /** Responses other than the usual ones. */
  readonly responses?: Responses;
  /** Remembers what was handled. Default: a store of this process. */
  readonly replayStore?: ReplayStore;
  /**
   * Milliseconds for which a delivery claims its events in the replay store. An equal delivery that comes later is
   * handled although the first is still at work: choose more than `timeLimit`. Default: 5 minutes.
   */
  readonly lease?: number;
  /** Is told how each delivery ended; twice where its handlers ran out of time, the second time once they are done. */
  readonly onOutcome?: (record: DeliveryRecord) => void;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** Gets what has no handler. */
export type Otherwise<E> =
  | Handler<UnidentifiedEvent>
  /** Gets what is of no kind, and every kind that has no handler. */
  | { readonly rest: Handler<UnidentifiedEvent | E> };

/** Gets what is authentic but not what the contract says. The delivery is refused once it has succeeded. */
export type OnInvalid<Kind extends string = string> = (
  delivery: InvalidDelivery<Kind>,
  context: DeliveryContext,
) => unknown;

/** What a receiver does with deliveries. */
export interface Reactions {
  readonly on: Readonly<Record<string, Handler<never> | undefined>>;
  readonly otherwise: Otherwise<never>;
  readonly onInvalid: OnInvalid<never>;
}

/** Returns the lookup of handlers by name; `null` is the name of what is of no kind. Throws a WebhookError where one is missing. */
export function assignHandlers(
  names: Iterable<string>,
  { on, otherwise }: Reactions,
): (name: string | null) => Handler<never> {
  const rest = typeof otherwise === 'function' ? undefined : otherwise?.rest;
  const unidentified = typeof otherwise === 'function' ? otherwise : otherwise?.rest;
  checkFunctions({ otherwise: unidentified });
  if (typeof on !== 'object' || on === null) throw invalid('`on` is no object');
  const handlers = new Map<string | null, Handler<never>>([[null, unidentified]]);
  for (const name of names) {
    const handler = (Object.hasOwn(on, name) ? on[name] : undefined) ?? rest;
    if (typeof handler !== 'function') throw invalid(`\`on\` has no handler ${name}`);
    handlers.set(name, handler);
  }
  const unknown = Object.keys(on).find((name) => !handlers.has(name));
  if (unknown !== undefined) throw invalid(`\`on\` has a handler for ${unknown}, which is no kind`);
  return (name) => handlers.get(name) ?? unidentified;
}

/** Numbers among the options, with their defaults. */
const defaults = {
  limit: 1_048_576,
  readTimeLimit: 10_000,
  authenticationTimeLimit: 5000,
  storeTimeLimit: 5000,
  timeLimit: 10_000,
  maxDepth: 64,
  lease: 300_000,
};

/** Bytes, milliseconds and levels that a receiver keeps to. */
export type Bounds = Readonly<typeof defaults>;

/** Returns every bound. Throws a WebhookError for one that is out of range: with more, timers fire at once. */
export function toBounds(options: ReceiverOptions): Bounds {
  const bounds = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof Bounds)[]) {
    bounds[name] = options[name] ?? defaults[name];
    if (!(Number.isFinite(bounds[name]) && bounds[name] > 0 && bounds[name] < 2 ** 31))
      throw invalid(`\`${name}\` is not a number above 0 and below 2 ** 31`);
  }
  return bounds;
}

/** Throws a WebhookError unless every member is a function. */
export function checkFunctions(members: Readonly<Record<string, unknown>>): void {
  for (const [name, member] of Object.entries(members))
    if (typeof member !== 'function') throw invalid(`\`${name}\` is no function`);
}
