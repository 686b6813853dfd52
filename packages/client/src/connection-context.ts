import { sleep } from './deadline.ts';
import { toBase } from './draft.ts';
import type { ClientEvent } from './events.ts';
import { guard, guardNumber } from './given.ts';
import type { ConnectionOptions, ExtraHeaders } from './options.ts';
import { defaultMaxBytes } from './read-body.ts';
import type { SharedTokens } from './security.ts';
import type { Service } from './service.ts';
import { shareTokens } from './shared-tokens.ts';

/** The state that all calls of a connection share: its options with their defaults, and the service. */
export interface ConnectionContext {
  readonly service: Service;
  /** The base address without trailing slashes. */
  readonly base: string;
  /** Sends requests. */
  readonly fetch: NonNullable<ConnectionOptions['fetch']>;
  /** Whether `fetch` is the platform's own. */
  readonly isPlatformFetch: boolean;
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
  readonly sharedTokens: SharedTokens;
  /** Credentials that are sent in bodies, to remove them from errors. */
  readonly bodyCredentials: readonly string[];
}

/** The limits of calls, which the options of a call can override. */
export type ConnectionLimits = Required<
  Pick<ConnectionOptions, 'timeout' | 'attemptTimeout' | 'idleTimeout' | 'maxResponseBytes'>
>;

/**
 * Creates the context of a connection from valid options.
 * @throws ClientError `invalid-option` for an unusable base address
 */
export function createConnectionContext(
  options: ConnectionOptions,
  service: Service,
): ConnectionContext {
  const base = toBase(options.baseUrl);
  const clock = guardNumber('clock', options.clock ?? Date.now);
  const { headers, onEvent, invalidResponse = 'throw', numbers = 'refuse' } = options;
  const report = (event: ClientEvent): void => {
    try {
      onEvent?.(event);
    } catch {
      // A logger that throws must not fail the call.
    }
  };
  return {
    service,
    base,
    fetch: options.fetch ?? globalThis.fetch,
    isPlatformFetch: options.fetch === undefined,
    headers: typeof headers === 'function' ? guard('headers', headers) : headers,
    limits: {
      timeout: options.timeout ?? 60_000,
      attemptTimeout: options.attemptTimeout ?? 30_000,
      idleTimeout: options.idleTimeout ?? 300_000,
      maxResponseBytes: options.maxResponseBytes ?? defaultMaxBytes,
    },
    retry: options.retry,
    invalidResponse,
    numbers,
    clock,
    random: guardNumber('random', options.random ?? Math.random),
    uuid: guard('uuid', options.uuid ?? (() => crypto.randomUUID())),
    sleep: options.sleep === undefined ? sleep : guard('sleep', options.sleep),
    report,
    sharedTokens: shareTokens(options.tokenStore, [base, service.inputs], clock, report),
    bodyCredentials: Object.values(service.inputs ?? {})
      .flatMap(({ body }) => Object.values(body ?? {}))
      .filter((value): value is string => typeof value === 'string'),
  };
}
