import { ClientError } from './client-error.ts';
import type { CallOptions, ConnectionOptions, RetryOptions } from './options.ts';

/**
 * Validates the options of a client.
 * @throws ClientError `invalid-option` for an option of the wrong type or out of range
 */
export function checkConnectionOptions(options: ConnectionOptions): void {
  demand('options', 'an object', isObject(options));
  checkLimits(options);
  const { baseUrls, serverVariables } = options;
  demand('baseUrls', 'an object', isOptional(baseUrls, isObject));
  demand('serverVariables', 'an object', isOptional(serverVariables, isObject));
  const { headers, invalidResponse, numbers, tokenStore, tokenStoreKey } = options;
  demand(
    'numbers',
    'refuse or text',
    isOptional(numbers, (value) => value === 'refuse' || value === 'text'),
  );
  for (const name of ['fetch', 'onEvent', 'clock', 'random', 'uuid', 'sleep'] as const) {
    demand(name, 'a function', isOptional(options[name], isFunction));
  }
  const kinds = ['throw', 'report', 'ignore'];
  demand(
    'invalidResponse',
    kinds.join(', '),
    isOptional(invalidResponse, (value) => kinds.includes(value)),
  );
  demand(
    'headers',
    'an object or a function',
    isOptional(headers, (value) => isObject(value) || isFunction(value)),
  );
  demand(
    'tokenStore',
    'an object with the functions get and set',
    isOptional(tokenStore, ({ get, set }) => isFunction(get) && isFunction(set)),
  );
  demand('tokenStoreKey', 'a non-empty text', isOptional(tokenStoreKey, isName));
}

/**
 * Validates the options of a call.
 * @throws ClientError `invalid-option` for an option of the wrong type or out of range
 */
export function checkCallOptions(options: CallOptions): void {
  demand('options', 'an object', isObject(options));
  checkLimits(options);
  const { allowReserved, credentials, headers, repeatable, signal, tokenStoreKey } = options;
  // `undefined` could be the result of a failed look-up, and would select the account of the client.
  demand('credentials', 'an object', !('credentials' in options) || isObject(credentials));
  demand(
    'tokenStoreKey',
    'a non-empty text, beside credentials',
    isOptional(tokenStoreKey, (value) => isName(value) && credentials !== undefined),
  );
  demand('headers', 'an object', isOptional(headers, isObject));
  demand('allowReserved', 'a list of names', isOptional(allowReserved, Array.isArray));
  demand(
    'repeatable',
    'true or false',
    isOptional(repeatable, (value) => typeof value === 'boolean'),
  );
  demand(
    'signal',
    'an AbortSignal',
    isOptional(signal, (value) => isObject(value) && 'addEventListener' in value),
  );
}

function checkLimits(options: Omit<CallOptions, 'headers'>): void {
  const { retry, maxResponseBytes } = options;
  for (const name of ['timeout', 'attemptTimeout', 'idleTimeout'] as const)
    checkTimeout(name, options[name]);
  demand(
    'maxResponseBytes',
    'a number of bytes, 0 or more',
    isOptional(maxResponseBytes, (value) => typeof value === 'number' && value >= 0),
  );
  if (retry === undefined) return;
  demand('retry', 'an object', isObject(retry));
  const { attempts, delay, maxDelay }: RetryOptions = retry;
  demand(
    'retry.attempts',
    'a whole number of 1 or more',
    isOptional(attempts, (value) => Number.isSafeInteger(value) && value >= 1),
  );
  for (const [name, value] of Object.entries({ delay, maxDelay })) {
    demand(
      `retry.${name}`,
      `a number of milliseconds from 0 to ${maxTimerMs}`,
      isOptional(value, (given) => isMilliseconds(given)),
    );
  }
}

function checkTimeout(name: string, value: number | undefined): void {
  demand(
    name,
    `a number of milliseconds above 0, up to ${maxTimerMs}`,
    isOptional(value, (given) => isMilliseconds(given) && given > 0),
  );
}

/** The maximum delay of a timer. With a longer one, timers on all platforms fire at once. */
const maxTimerMs = 2 ** 31 - 1;

function isMilliseconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= maxTimerMs;
}

/** Returns whether an option is absent, `undefined` or valid. `null` is not valid. */
function isOptional<T>(value: T | undefined, isValid: (value: T) => boolean): boolean {
  return value === undefined || (value !== null && isValid(value));
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function demand(name: string, what: string, isMet: boolean): void {
  if (!isMet) throw new ClientError('invalid-option', `The option ${name} must be ${what}.`);
}
