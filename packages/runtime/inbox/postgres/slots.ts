import { InboxError } from '../inbox-error.ts';
import type { PostgresPool } from './pool.ts';

/** Connections that handlers leave free: one for receipts, one for claims, renewals and operators. */
const reserved = 2;

/** Limits how many handlers hold a connection at the same time. */
export interface Slots {
  /** Waits for a slot. Returns a function that gives it back. */
  take(): Promise<() => void>;
}

/** Stores that share a pool share its slots. */
const slotsOfPools = new WeakMap<PostgresPool, Slots>();

/**
 * Returns the slots of a pool.
 * @throws InboxError `invalid-option` for a pool that is too small
 */
export function slotsOf(pool: PostgresPool): Slots {
  const max = pool.options?.max ?? Infinity;
  if (max <= reserved)
    throw new InboxError(
      'invalid-option',
      `The pool must have at least ${reserved + 1} connections: handlers use all but ${reserved}`,
    );
  const cachedSlots = slotsOfPools.get(pool);
  if (cachedSlots !== undefined) return cachedSlots;
  const slots = createSlots(max - reserved);
  slotsOfPools.set(pool, slots);
  return slots;
}

function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];

  function give(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isReturned = false;
      return () => {
        if (!isReturned) give();
        isReturned = true;
      };
    },
  };
}
