import { ClientError } from './client-error.ts';
import type { CallOptions, ConnectionOptions, RetryOptions } from './options.ts';
import type { TokenStore } from './token-store.ts';

/**
 * Validates the options of a client.
 * @throws ClientError `invalid-option` for an option of the wrong type or out of range
 */
export function checkConnectionOptions(options: ConnectionOptions): void {
  checkOptions(options, connectionRules);
}

/**
 * Validates the options of a call.
 * @throws ClientError `invalid-option` for an option of the wrong type or out of range
 */
export function checkCallOptions(options: CallOptions): void {
  checkOptions(options, callRules);
  // `undefined` could be the result of a failed look-up, and would select the account of the client.
  if ('credentials' in options) demand('credentials', object, options.credentials);
  else demand('tokenStoreKey', beside, options.tokenStoreKey);
}

/** What an option must be, and a function that returns whether a value is. */
export type Rule = readonly [what: string, isValid: (value: unknown) => boolean];
type Rules<Options> = Partial<Record<keyof Options, Rule>>;

/** The maximum delay of a timer. With a longer one, timers on all platforms fire at once. */
const maxTimerMs = 2 ** 31 - 1;

const object: Rule = ['an object', isObject];
const runnable: Rule = ['a function', isFunction];
const flag: Rule = ['true or false', (value) => typeof value === 'boolean'];
const key: Rule = ['a non-empty text', (value) => typeof value === 'string' && value !== ''];
const beside: Rule = ['left out without credentials', (value) => value === undefined];
const wait: Rule = [
  `a number from 0 to ${maxTimerMs}`,
  (value) => isAtLeast(0, value) && value <= maxTimerMs,
];
const timeout: Rule = [
  `a number above 0, up to ${maxTimerMs}`,
  (value) => value !== 0 && wait[1](value),
];

const rulesOfBoth = {
  timeoutMs: timeout,
  attemptTimeoutMs: timeout,
  idleTimeoutMs: timeout,
  maxResponseBytes: ['0 or more', (value) => isAtLeast(0, value)],
  retry: object,
  tokenStoreKey: key,
} satisfies Rules<ConnectionOptions & CallOptions>;

const retryRules = {
  attempts: [
    'a whole number of 1 or more',
    (value) => isAtLeast(1, value) && Number.isSafeInteger(value),
  ],
  firstDelayMs: wait,
  factor: ['a number of 1 or more', (value) => isAtLeast(1, value) && value < Infinity],
  maxDelayMs: wait,
  jitter: ['a number from 0 to 1', (value) => isAtLeast(0, value) && value <= 1],
} satisfies Rules<RetryOptions>;

const connectionRules = {
  ...rulesOfBoth,
  baseUrls: object,
  serverVariables: object,
  numbers: oneOf('refuse', 'text'),
  invalidResponse: oneOf('throw', 'report', 'ignore'),
  fetch: runnable,
  fetchSendsOnce: flag,
  onEvent: runnable,
  clock: runnable,
  random: runnable,
  uuid: runnable,
  sleep: runnable,
  headers: ['an object or a function', (value) => isObject(value) || isFunction(value)],
  tokenStore: [
    'an object with the functions get and set',
    (value) =>
      isObject(value) &&
      isFunction((value as TokenStore).get) &&
      isFunction((value as TokenStore).set),
  ],
} satisfies Rules<ConnectionOptions>;

const callRules = {
  ...rulesOfBoth,
  headers: object,
  allowReserved: ['a list of names', Array.isArray],
  repeatable: flag,
  signal: ['an AbortSignal', (value) => isObject(value) && 'addEventListener' in value],
} satisfies Rules<CallOptions>;

function checkOptions(
  options: ConnectionOptions | CallOptions,
  rules: Readonly<Record<string, Rule>>,
): void {
  demand('options', object, options);
  checkMembers(options, rules, '');
  checkMembers(options.retry ?? {}, retryRules, 'retry.');
}

/** Checks the members that are not `undefined`. */
function checkMembers(
  members: object,
  rules: Readonly<Record<string, Rule>>,
  prefix: string,
): void {
  for (const [name, rule] of Object.entries(rules)) {
    const value = (members as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) demand(prefix + name, rule, value);
  }
}

/**
 * Throws where a value is not what a rule demands.
 * @throws ClientError `invalid-option`, naming the option
 */
export function demand(name: string, [what, isValid]: Rule, value: unknown): void {
  if (!isValid(value))
    throw new ClientError('invalid-option', `The option ${name} must be ${what}.`);
}

/** Creates the rule that a value is one of some names. */
export function oneOf(...names: readonly string[]): Rule {
  return [`one of ${names.join(', ')}`, (value) => names.includes(value as string)];
}

function isAtLeast(least: number, value: unknown): value is number {
  return typeof value === 'number' && value >= least;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
