import { createAccounts, type AccountContext } from './account-context.ts';
import { createAddresses, type AddressOf } from './addresses.ts';
import { sleep } from './deadline.ts';
import type { ClientEvent } from './events.ts';
import { guard, guardNumber } from './given.ts';
import type { CallOptions, ConnectionOptions, ExtraHeaders } from './options.ts';
import { defaultMaxBytes } from './read-body.ts';
import { createReport } from './report.ts';
import type { Service } from './service.ts';

/** The state that all calls of a connection share: its options with their defaults, and the service. */
export interface ConnectionContext {
  readonly service: Service;
  /** Returns the base address of an operation. */
  readonly addressOf: AddressOf;
  /** Sends requests. */
  readonly fetch: NonNullable<ConnectionOptions['fetch']>;
  /** Whether `fetch` is the platform's own. */
  readonly isPlatformFetch: boolean;
  /** Whether a rejection of `fetch` tells that nothing was sent. */
  readonly fetchSendsOnce: boolean;
  readonly headers: ExtraHeaders | (() => ExtraHeaders) | undefined;
  readonly limits: ConnectionLimits;
  readonly retry: ConnectionOptions['retry'];
  readonly invalidResponse: NonNullable<ConnectionOptions['invalidResponse']>;
  readonly numbers: NonNullable<ConnectionOptions['numbers']>;
  readonly clock: () => number;
  readonly random: () => number;
  readonly uuid: () => string;
  readonly sleep: NonNullable<ConnectionOptions['sleep']>;
  /** Passes an event to `onEvent`. Never throws. */
  readonly report: (event: ClientEvent) => void;
  /** Returns the account that a call with these options is made for. */
  readonly accountFor: (options: CallOptions) => AccountContext;
}

/** The limits of calls, which the options of a call can override. */
export type ConnectionLimits = Required<
  Pick<ConnectionOptions, 'timeoutMs' | 'attemptTimeoutMs' | 'idleTimeoutMs' | 'maxResponseBytes'>
>;

const defaultLimits: ConnectionLimits = {
  timeoutMs: 60_000,
  attemptTimeoutMs: 30_000,
  idleTimeoutMs: 300_000,
  maxResponseBytes: defaultMaxBytes,
};

/** Returns the limits that options state, with defaults. */
export function toLimits(
  options: Partial<ConnectionLimits>,
  defaults: ConnectionLimits,
): ConnectionLimits {
  const limits = { ...defaults };
  for (const name of Object.keys(limits) as (keyof ConnectionLimits)[])
    limits[name] = options[name] ?? limits[name];
  return limits;
}

/**
 * Creates the context of a connection from valid options.
 * @throws ClientError `invalid-option` for an unusable base address
 */
export function createConnectionContext(
  options: ConnectionOptions,
  service: Service,
): ConnectionContext {
  const addressOf = createAddresses(options, service);
  const clock = guardNumber('clock', options.clock ?? (() => Date.now()));
  const { onEvent, numbers = 'refuse' } = options;
  const headers =
    typeof options.headers === 'function' ? guard('headers', options.headers) : options.headers;
  const report = createReport(onEvent);
  return {
    service,
    addressOf,
    // Tests and tools replace the platform's functions at any time.
    fetch: options.fetch ?? (async (url, init) => await globalThis.fetch(url, init)),
    isPlatformFetch: options.fetch === undefined,
    fetchSendsOnce: options.fetch === undefined || options.fetchSendsOnce === true,
    headers,
    limits: toLimits(options, defaultLimits),
    retry: options.retry,
    invalidResponse: options.invalidResponse ?? service.invalidResponse ?? 'throw',
    numbers,
    clock,
    random: guardNumber('random', options.random ?? (() => Math.random())),
    uuid: guard('uuid', options.uuid ?? (() => crypto.randomUUID())),
    sleep: options.sleep === undefined ? sleep : guard('sleep', options.sleep),
    report,
    accountFor: createAccounts({
      service,
      options,
      headers,
      addressOf,
      clock,
      report,
    }),
  };
}
