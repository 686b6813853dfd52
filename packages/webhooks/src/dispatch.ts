import type { Delivery } from './delivery.ts';
import type { Handler, DeliveryContext } from './event.ts';
import { isPromise, whenThere, type MaybePromise } from './maybe-promise.ts';
import type { ReplayStore } from './replay-store.ts';

/** An event with its handler, and the key that tells it from others of its kind. */
export interface Task {
  readonly event: unknown;
  readonly context: DeliveryContext;
  readonly handler: Handler<never>;
  readonly key: MaybePromise<string> | undefined;
}

/** How the events of a delivery ended, all together. */
export type Dispatched =
  | { readonly reason: 'handled' | 'duplicate' | 'in-progress' }
  | { readonly reason: 'handler-failed' | 'store-failed'; readonly error: unknown };

/** The events of a delivery that are to be handled, and the keys that were claimed for them. */
export interface Work {
  readonly tasks: readonly Task[];
  readonly keys: readonly string[];
}

/** Claims every event of a delivery that was not handled before. Never rejects. */
export function claimAll(
  store: ReplayStore,
  lease: number,
  tasks: readonly Task[],
): MaybePromise<Work | Dispatched> {
  const open: Task[] = [];
  const keys: string[] = [];
  /** One delivery can hold the same event twice. */
  const known = tasks.length > 1 ? new Set<string>() : undefined;
  const giveUp = async (dispatched: Dispatched): Promise<Dispatched> => {
    await releaseAll(store, keys);
    return dispatched;
  };
  const failed = (error: unknown): Promise<Dispatched> => giveUp({ reason: 'store-failed', error });
  const claim = (task: Task, key: string | undefined): MaybePromise<boolean> => {
    if (key === undefined) {
      open.push(task);
      return true;
    }
    if (known?.has(key) === true) return true;
    known?.add(key);
    return whenThere(store.claim(key, lease), (state) => {
      if (state === 'claimed') {
        keys.push(key);
        open.push(task);
      }
      return state !== 'busy';
    });
  };
  const claimFrom = (first: number): MaybePromise<Work | Dispatched> => {
    for (let index = first; index < tasks.length; index++) {
      const task = tasks[index] as Task;
      const isFree = whenThere(task.key, (key) => claim(task, key));
      if (isPromise(isFree))
        return isFree
          .then((free) => (free ? claimFrom(index + 1) : giveUp({ reason: 'in-progress' })))
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
 * Runs the handlers one after the other; the first that fails ends the delivery, and then none of its events
 * counts as handled. Never rejects, and goes on to its end however late that is; but once nobody waits for the
 * delivery any more, no further handler is started.
 */
export function runAll(
  store: ReplayStore,
  work: Work,
  delivery: Delivery,
  first = 0,
): MaybePromise<Dispatched> {
  const { tasks, keys } = work;
  try {
    for (let index = first; index < tasks.length; index++) {
      const { handler, event, context } = tasks[index] as Task;
      if (delivery.isOver) throw new Error('The time for the delivery was over before this event.');
      const done = handler(event as never, context);
      if (isPromise(done))
        return Promise.resolve(done).then(
          () => runAll(store, work, delivery, index + 1),
          (error: unknown) => fail(store, keys, error),
        );
    }
  } catch (error) {
    return fail(store, keys, error);
  }
  return confirmAll(store, keys);
}

const handled: Dispatched = { reason: 'handled' };

async function fail(
  store: ReplayStore,
  keys: readonly string[],
  error: unknown,
): Promise<Dispatched> {
  await releaseAll(store, keys);
  return { reason: 'handler-failed', error };
}

/** The work is done whether the store hears of it or not; a sender that was told otherwise would have it done again. */
function confirmAll(
  store: ReplayStore,
  keys: readonly string[],
  first = 0,
): MaybePromise<Dispatched> {
  try {
    for (let index = first; index < keys.length; index++) {
      const confirmed = store.confirm(keys[index] ?? '');
      if (isPromise(confirmed))
        return Promise.resolve(confirmed).then(
          () => confirmAll(store, keys, index + 1),
          () => handled,
        );
    }
  } catch {
    // Nothing can be done about it.
  }
  return handled;
}

/** A claim that cannot be given back ends with its lease. */
async function releaseAll(store: ReplayStore, keys: readonly string[]): Promise<void> {
  await Promise.allSettled(keys.map(async (key) => await store.release(key)));
}
