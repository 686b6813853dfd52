import type { Delivery } from './delivery.ts';
import type { Handler, DeliveryContext } from './event.ts';
import { isPromise, mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import { keyOfReceiver } from './receiver-name.ts';
import type { ReplayStore } from './replay-store.ts';
import { WebhookError } from './webhook-error.ts';

/** An event with its handler, and what makes it a duplicate. */
export interface Task {
  readonly event: unknown;
  readonly context: DeliveryContext;
  readonly handler: Handler<never>;
  readonly key: MaybePromise<string> | undefined;
}

/** The events of a delivery to handle, and the keys that were claimed for them. */
export interface Work {
  readonly tasks: readonly Task[];
  readonly keys: readonly string[];
}

/** Why no event of a delivery is handled now. */
export type Unclaimed =
  | { readonly reason: 'duplicate' }
  /** With an error where the store failed to release the claims made so far. */
  | { readonly reason: 'in-progress'; readonly detail?: 'unreleased'; readonly error?: unknown }
  | { readonly reason: 'store-failed'; readonly error: unknown };

/** The error of a handler or of a call of the replay store. */
export interface Failure {
  readonly error: unknown;
}

/**
 * Claims all events of a delivery that were not handled before. Never rejects. If the time for the delivery ends before
 * all claims are made, releases the claims made so far.
 * @param receiver the name that begins each key
 */
export function claimAll(
  store: ReplayStore,
  receiver: string,
  leaseMs: number,
  tasks: readonly Task[],
  delivery: Delivery,
): MaybePromise<Work | Unclaimed> {
  const open: Task[] = [];
  const keys: string[] = [];
  /** The same keys, where one delivery can contain the same event twice. */
  const deliveryKeys = tasks.length > 1 ? new Set<string>() : undefined;
  const giveUp = (unclaimed: Unclaimed): MaybePromise<Unclaimed> =>
    mapMaybePromise(settleAll(store, 'release', keys, delivery), (fault) =>
      fault === undefined || unclaimed.reason !== 'in-progress'
        ? unclaimed
        : { ...unclaimed, ...fault, detail: 'unreleased' },
    );
  const failed = (error: unknown): MaybePromise<Unclaimed> =>
    giveUp({ reason: 'store-failed', error });
  const claim = (task: Task, formerKey: string | undefined): MaybePromise<boolean> => {
    if (formerKey === undefined) {
      open.push(task);
      return true;
    }
    const key = keyOfReceiver(receiver, formerKey);
    if (deliveryKeys?.has(key) === true) return true;
    return mapMaybePromise(store.claim(key, leaseMs, delivery.id, formerKey), (state) => {
      if (state === 'busy') return false;
      if (state === 'seen') return true;
      // A thin adapter may return `null`, `'OK'` or `true`, whose meaning is unclear.
      if (state !== 'claimed')
        throw new WebhookError(
          'unknown-claim',
          'The replay store must return claimed, seen or busy for a claim.',
        );
      keys.push(key);
      deliveryKeys?.add(key);
      open.push(task);
      return true;
    });
  };
  const claimFrom = (first: number): MaybePromise<Work | Unclaimed> => {
    for (let index = first; index < tasks.length; index++) {
      const task = tasks[index] as Task;
      const isFree = mapMaybePromise(task.key, (key) => claim(task, key));
      if (isPromise(isFree))
        return isFree
          .then((free) =>
            free && !delivery.isOver ? claimFrom(index + 1) : giveUp({ reason: 'in-progress' }),
          )
          .catch(failed);
      if (!isFree) return giveUp({ reason: 'in-progress' });
    }
    return open.length === 0 && tasks.length > 0 ? { reason: 'duplicate' } : { tasks: open, keys };
  };
  try {
    return claimFrom(0);
  } catch (error) {
    return failed(error);
  }
}

/**
 * Runs the handlers in order, and returns the first failure. Never rejects. A running handler always continues to its
 * end. Once the time for the delivery is over, no further handler starts.
 */
export function runAll(
  tasks: readonly Task[],
  delivery: Delivery,
  first = 0,
): MaybePromise<Failure | undefined> {
  try {
    for (let index = first; index < tasks.length; index++) {
      const { handler, event, context } = tasks[index] as Task;
      if (delivery.isOver) throw new Error('The time ended before this event.');
      const done = handler(event as never, context);
      if (isPromise(done))
        return Promise.resolve(done).then(
          () => runAll(tasks, delivery, index + 1),
          (error: unknown): Failure => ({ error }),
        );
    }
  } catch (error) {
    return { error };
  }
  return undefined;
}

/** Confirms or releases every claim of a delivery, and returns the first failure. Never rejects. */
export function settleAll(
  store: ReplayStore,
  method: 'confirm' | 'release',
  keys: readonly string[],
  delivery: Delivery,
): MaybePromise<Failure | undefined> {
  let failure: Failure | undefined;
  const waiting: PromiseLike<unknown>[] = [];
  for (const key of keys) {
    try {
      const settled = store[method](key, delivery.id);
      if (isPromise(settled)) waiting.push(settled);
    } catch (error) {
      failure ??= { error };
    }
  }
  if (waiting.length === 0) return failure;
  return Promise.allSettled(waiting).then((all) => {
    const failed = all.find((result) => result.status === 'rejected');
    return failure ?? (failed && { error: failed.reason as unknown });
  });
}
