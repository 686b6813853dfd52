import type { Handler, DeliveryContext } from './event.ts';
import type { MaybePromise } from './request.ts';
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

/** The events of a delivery that are to be handled. */
export type Claimed =
  | { readonly tasks: readonly Task[]; readonly keys: readonly string[] }
  | Dispatched;

/** Claims every event of a delivery that was not handled before. Never rejects. */
export async function claimAll(
  store: ReplayStore,
  lease: number,
  tasks: readonly Task[],
): Promise<Claimed> {
  const keys: string[] = [];
  const open: Task[] = [];
  try {
    for (const task of tasks) {
      const key = task.key instanceof Promise ? await task.key : task.key;
      if (key === undefined) {
        open.push(task);
        continue;
      }
      // One delivery can hold the same event twice.
      if (keys.includes(key)) continue;
      const claim = store.claim(key, lease);
      const state = claim instanceof Promise ? await claim : claim;
      if (state === 'busy') {
        await releaseAll(store, keys);
        return { reason: 'in-progress' };
      }
      if (state === 'claimed') {
        keys.push(key);
        open.push(task);
      }
    }
  } catch (error) {
    await releaseAll(store, keys);
    return { reason: 'store-failed', error };
  }
  if (open.length === 0 && tasks.length > 0) return { reason: 'duplicate' };
  return { tasks: open, keys };
}

/**
 * Runs the handlers one after the other; the first that fails ends the delivery, and then none of its events
 * counts as handled. Never rejects, and goes on to its end however late that is.
 * @param isOver whether nobody waits any more; no further handler is started then
 */
export async function runAll(
  store: ReplayStore,
  { tasks, keys }: { readonly tasks: readonly Task[]; readonly keys: readonly string[] },
  isOver: () => boolean,
): Promise<Dispatched> {
  try {
    for (const { handler, event, context } of tasks) {
      if (isOver()) throw new Error('The time for the delivery was over before this event.');
      const done = handler(event as never, context);
      if (isThenable(done)) await done;
    }
  } catch (error) {
    await releaseAll(store, keys);
    return { reason: 'handler-failed', error };
  }
  try {
    for (const key of keys) {
      const confirmed = store.confirm(key);
      if (confirmed instanceof Promise) await confirmed;
    }
  } catch {
    // The work is done; a sender that was told otherwise would have it done again.
  }
  return { reason: 'handled' };
}

/** A claim that cannot be given back ends with its lease. */
async function releaseAll(store: ReplayStore, keys: readonly string[]): Promise<void> {
  await Promise.allSettled(keys.map(async (key) => await store.release(key)));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}
