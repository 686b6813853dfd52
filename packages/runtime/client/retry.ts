import type { ClientErrorCode } from './client-error.ts';
import type { RetryOptions } from './options.ts';

/** The number of repetitions that a call has left. A token request that it waits for uses the same budget. */
export interface RetryBudget {
  left: number;
}

/** Returns whether RFC 9110, section 9.2.2 calls the method idempotent. */
export function isIdempotent(method: string): boolean {
  return /^(?:GET|HEAD|PUT|DELETE|OPTIONS|TRACE)$/.test(method);
}

/** Returns whether a status or an error is transient, so that another attempt can succeed. */
export function isTransient(outcome: number | ClientErrorCode | undefined): boolean {
  const transient: readonly unknown[] = [408, 425, 429, 502, 503, 504, 'network', 'timeout'];
  return transient.includes(outcome);
}

/**
 * Returns the milliseconds to wait before the next attempt: random, up to a limit that grows with every attempt, and
 * at least what `Retry-After` demands. Returns `undefined` where the wait would exceed `maxDelayMs`.
 */
export function nextDelay(
  { firstDelayMs = 250, factor = 2, maxDelayMs = 20_000, jitter = 1 }: RetryOptions,
  attempt: number,
  headers: Headers | undefined,
  random: () => number,
  now: number,
): number | undefined {
  const limit = Math.min(maxDelayMs, firstDelayMs * factor ** (attempt - 1));
  const demanded = retryAfter(headers?.get('retry-after'), now);
  return demanded > maxDelayMs ? undefined : Math.max(limit * (1 - jitter * random()), demanded);
}

/**
 * Returns the milliseconds that `Retry-After` demands (RFC 9110, section 10.2.3): seconds, or a date. Any other text
 * demands no wait.
 */
function retryAfter(value: string | null | undefined, now: number): number {
  const text = value ?? '';
  return /^\d+$/.test(text) ? 1000 * Number(text) : (Date.parse(text) || now) - now;
}
