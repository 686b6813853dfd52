import type { ClientErrorCode } from './client-error.ts';
import type { RetryOptions } from './options.ts';

/** Methods that RFC 9110, 9.2.2 calls idempotent. */
export function isIdempotent(method: string): boolean {
  return /^(?:GET|HEAD|PUT|DELETE|OPTIONS|TRACE)$/.test(method);
}

/** Statuses and errors that say nothing about the request but that it came at a bad time. */
export function isTransient(outcome: number | ClientErrorCode | undefined): boolean {
  const transient: readonly unknown[] = [408, 425, 429, 502, 503, 504, 'network', 'timeout'];
  return transient.includes(outcome);
}

/**
 * Milliseconds to wait before the next attempt: anything up to a limit that doubles with every attempt, and never less
 * than `Retry-After` asks for. `undefined` where there is to be none.
 */
export function nextDelay(
  { attempts = 3, delay = 250, maxDelay = 20_000 }: RetryOptions,
  attempt: number,
  headers: Headers | undefined,
  random: () => number,
  now: number,
): number | undefined {
  if (attempt >= attempts) return undefined;
  const spread = random() * Math.min(maxDelay, delay * 2 ** (attempt - 1));
  const wait = Math.max(spread, retryAfter(headers?.get('retry-after'), now));
  return wait > maxDelay ? undefined : wait;
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfter(value: string | null | undefined, now: number): number {
  const text = value ?? '';
  // What is neither asks for no wait.
  return /^\d+$/.test(text) ? 1000 * Number(text) : (Date.parse(text) || now) - now;
}
