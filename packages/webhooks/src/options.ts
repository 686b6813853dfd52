import type { Authentication } from './authentication.ts';
import type { DeliveryContext, Handler, InvalidDelivery, UnidentifiedEvent } from './event.ts';
import type { Reason, Responses } from './outcome.ts';
import type { NumberMode } from './parse-body.ts';
import type { ReplayStore } from './replay-store.ts';
import { WebhookError } from './webhook-error.ts';

/** What is known of a delivery when it has ended; nothing of what it said. */
export interface DeliveryRecord {
  /** The id that handlers got as well. */
  readonly id: string;
  readonly reason: Reason;
  readonly status: number;
  /** What exactly is the matter, in a word of the receiver's. */
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
  /** Milliseconds after which a delivery that is still being handled may be handled by another. Default: 5 minutes. */
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

/** The handler of each name. Throws a WebhookError where one is missing. */
export function assignHandlers(
  names: Iterable<string>,
  { on, otherwise, onInvalid }: Reactions,
): ReadonlyMap<string | null, Handler<never>> {
  const rest = typeof otherwise === 'function' ? undefined : otherwise?.rest;
  const unidentified = typeof otherwise === 'function' ? otherwise : rest;
  if (typeof unidentified !== 'function')
    throw invalid('`otherwise` is neither a handler nor an object with a handler named `rest`');
  if (typeof onInvalid !== 'function') throw invalid('`onInvalid` is no function');
  if (typeof on !== 'object' || on === null) throw invalid('`on` holds no handlers');
  const handlers = new Map<string | null, Handler<never>>([[null, unidentified]]);
  for (const name of names) {
    const handler = (Object.hasOwn(on, name) ? on[name] : undefined) ?? rest;
    if (typeof handler !== 'function') throw invalid(`\`on\` has no handler ${name}`);
    handlers.set(name, handler);
  }
  const unknown = Object.keys(on).find((name) => !handlers.has(name));
  if (unknown !== undefined) throw invalid(`\`on\` has a handler for ${unknown}, which is no kind`);
  return handlers;
}

/** A number of milliseconds, bytes or levels. Throws a WebhookError for anything else. */
export function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw invalid(`\`${name}\` is not a number above 0`);
}

export function invalid(fault: string): WebhookError {
  return new WebhookError('invalid-option', `The receiver cannot be made: ${fault}.`);
}
