/** Public keys at an address (JWKS), which are fetched when a request names one that is not known. */

import { SigningError } from './core.ts';
import { type Jwk, type KeySet, canVerify, secretMembers } from './key-pairs.ts';

export type { Jwk, KeySet } from './key-pairs.ts';
export { SigningError, type SigningErrorCode } from './core.ts';

/** Fetches an address, as the platform's `fetch`. */
export type FetchKeys = (
  address: string,
  init: {
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
    readonly headers: Readonly<Record<string, string>>;
  },
) => Promise<Response>;

/** The options of `createKeySet`. */
export interface KeySetOptions {
  /** The maximum milliseconds for one fetch, its body included. Default: 5,000. */
  readonly timeoutMs?: number;
  /** The maximum size of the set in bytes. Default: 65,536. */
  readonly maxBytes?: number;
  /** The milliseconds for which fetched keys are used without fetching them again. Default: 600,000 (10 minutes). */
  readonly maxAgeMs?: number;
  /**
   * The minimum milliseconds between two fetches, whatever ids requests name. A request that names an unknown key in
   * this time is refused. Default: 30,000.
   */
  readonly minRefreshMs?: number;
  /**
   * The milliseconds since the last successful fetch for which its keys are used while the set cannot be fetched.
   * Default: 86,400,000 (24 hours).
   */
  readonly maxStaleMs?: number;
  /** Default: the platform's `fetch`. */
  readonly fetch?: FetchKeys;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
  /**
   * Gets each failed fetch, and each set with more keys than are read. Without it, the first of each reason is a warning of
   * the process, where the platform has such warnings.
   */
  readonly onError?: (error: SigningError) => void;
}

/** The maximum number of keys that are read from a set. */
const maximumKeys = 64;

/**
 * Creates a set of the public keys at an address (JWKS, RFC 7517). Fetches it when it is needed, and keeps it. Ignores
 * keys without an id, keys for encryption, and private and symmetric keys. A set without any other key that can verify
 * counts as not fetched, and replaces none. Of a set with more than 64 keys, the first 64 are read. Refuses redirects. Only this address
 * is fetched, whatever a request or a key names.
 * @param address an `https` URL without a user name, or an `http` URL of the own machine
 * @throws SigningError `invalid-option` for another address, and for an option that is out of range
 */
export function createKeySet(address: string, options: KeySetOptions = {}): KeySet {
  const url = toAddress(address);
  const {
    timeoutMs = 5000,
    maxBytes = 65_536,
    maxAgeMs = 600_000,
    minRefreshMs = 30_000,
    maxStaleMs = 86_400_000,
    fetch: fetchKeys = (...args) => globalThis.fetch(...args),
    clock = () => Date.now(),
    onError = warnOnce(),
  } = options;
  for (const [name, value] of Object.entries({ timeoutMs, maxBytes, maxAgeMs, maxStaleMs }))
    if (!(value > 0)) throw invalidOption(name, 'must be a number above 0');
  if (!(minRefreshMs >= 0)) throw invalidOption('minRefreshMs', 'must be a number');
  // The timers of most platforms end at once after more milliseconds.
  if (timeoutMs > 2 ** 31 - 1) throw invalidOption('timeoutMs', 'must be below 2^31');

  let keys: ReadonlyMap<string, readonly Jwk[]> | undefined;
  let fetchedAt = 0;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failure: SigningError | undefined;
  /** The error for keys of the fetched set that were not read. */
  let unread: SigningError | undefined;
  let fetching: Promise<void> | undefined;

  const report = (error: SigningError): void => {
    try {
      onError(error);
    } catch {
      // The callback has failed, and the request that is verified is not to blame.
    }
  };
  /** Never rejects. */
  const refresh = (): Promise<void> => {
    triedAt = clock();
    const attempt = async (): Promise<void> => {
      try {
        const set = await fetchSet(url, fetchKeys, timeoutMs, maxBytes);
        ({ keys } = set);
        fetchedAt = clock();
        failure = undefined;
        unread = set.isCut ? tooManyKeys() : undefined;
        if (unread !== undefined) report(unread);
      } catch (error) {
        failure = toUnavailable(error);
        report(failure);
      } finally {
        fetching = undefined;
      }
    };
    return attempt();
  };
  const isWithin = (since: number, milliseconds: number): boolean => {
    const age = clock() - since;
    return age >= 0 && age < milliseconds;
  };
  const settle = (id: string): readonly Jwk[] => {
    if (keys === undefined || !isWithin(fetchedAt, Math.max(maxStaleMs, maxAgeMs)))
      throw failure ?? unavailable('not-fetched');
    const keysOfId = keys.get(id);
    if (keysOfId !== undefined) return keysOfId;
    // The key can be in the set that could not be fetched, or in the part that was not read.
    const hidden = failure ?? unread;
    if (hidden !== undefined) throw hidden;
    return [];
  };
  return Object.freeze<KeySet>({
    find(id) {
      const isFresh = keys !== undefined && isWithin(fetchedAt, maxAgeMs);
      const freshKeys = isFresh ? keys?.get(id) : undefined;
      if (freshKeys !== undefined) return freshKeys;
      if (fetching === undefined) {
        if (isWithin(triedAt, minRefreshMs)) {
          try {
            return settle(id);
          } catch (error) {
            return Promise.reject(error);
          }
        }
        const pending = refresh();
        fetching = pending;
        return pending.then(() => settle(id));
      }
      return fetching.then(() => settle(id));
    },
  });
}

function toAddress(address: string): string {
  const fault = 'must be an `https` URL without a user name, or an `http` URL of the own machine';
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw invalidOption('address', fault);
  }
  const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal);
  if (!isAllowed || url.username !== '' || url.password !== '')
    throw invalidOption('address', fault);
  return url.href;
}

function invalidOption(name: string, fault: string): SigningError {
  return new SigningError('invalid-option', `The option \`${name}\` ${fault}.`, name);
}

/** Why a set cannot be fetched. Contains nothing of the address or of the answer. */
class FetchFailure extends Error {}

/**
 * Fetches a set within the limits of time and size.
 * @throws FetchFailure
 */
async function fetchSet(
  url: string,
  fetchKeys: FetchKeys,
  timeoutMs: number,
  maxBytes: number,
): Promise<FetchedSet> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Also ends where the function that fetches ignores the signal.
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new FetchFailure('timeout'));
      controller.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([fetchWithin(url, fetchKeys, controller.signal, maxBytes), timeout]);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

async function fetchWithin(
  url: string,
  fetchKeys: FetchKeys,
  signal: AbortSignal,
  maxBytes: number,
): Promise<FetchedSet> {
  const headers = { accept: 'application/jwk-set+json, application/json' };
  const response = await fetchKeys(url, { redirect: 'manual', signal, headers });
  const { status, type, redirected, body } = response;
  if (type === 'opaqueredirect' || redirected || (status >= 300 && status < 400))
    throw new FetchFailure('redirect');
  if (status !== 200) throw new FetchFailure('status');
  if (body === null) throw new FetchFailure('not-json');
  const text = await readText(body.getReader(), maxBytes);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new FetchFailure('not-json');
  }
  return toKeys(parsed);
}

async function readText(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    try {
      text += decoder.decode(value, { stream: !done });
    } catch {
      throw new FetchFailure('not-json');
    }
    if (done) return text;
    size += value.length;
    if (size > maxBytes) throw new FetchFailure('too-large');
  }
}

/** The public keys of a set by their ids. Several keys can have one id (RFC 7517, section 4.5). */
interface FetchedSet {
  readonly keys: ReadonlyMap<string, readonly Jwk[]>;
  /** Whether the set has more keys than were read. */
  readonly isCut: boolean;
}

/** @throws FetchFailure for what is not a set, and for a set without a key that can verify a signature */
function toKeys(set: unknown): FetchedSet {
  const list: unknown = Object(set).keys;
  if (!Array.isArray(list)) throw new FetchFailure('not-a-key-set');
  const keys = new Map<string, readonly Jwk[]>();
  for (const jwk of (list as readonly unknown[]).slice(0, maximumKeys)) {
    if (!isPublicKey(jwk)) continue;
    keys.set(jwk.kid, [...(keys.get(jwk.kid) ?? []), jwk]);
  }
  if (!Array.from(keys.values()).flat().some(canVerify)) throw new FetchFailure('no-usable-key');
  return { keys, isCut: list.length > maximumKeys };
}

function isPublicKey(jwk: unknown): jwk is Jwk & { readonly kid: string } {
  if (typeof jwk !== 'object' || jwk === null) return false;
  const { kid, kty, use } = jwk as Jwk;
  return (
    typeof kid === 'string' &&
    kid !== '' &&
    (kty === 'OKP' || kty === 'EC' || kty === 'RSA') &&
    use !== 'enc' &&
    !secretMembers.some((member) => member in jwk)
  );
}

function toUnavailable(error: unknown): SigningError {
  return unavailable(error instanceof FetchFailure ? error.message : 'network', error);
}

function tooManyKeys(): SigningError {
  return new SigningError(
    'keys-unavailable',
    `The set at the address has more than ${maximumKeys} keys, and those after the first ${maximumKeys} are not read (too-many-keys).`,
    'too-many-keys',
  );
}

function unavailable(reason: string, cause?: unknown): SigningError {
  const error = new SigningError(
    'keys-unavailable',
    `The keys at the address of the key set cannot be fetched (${reason}).`,
    reason,
  );
  if (cause !== undefined && !(cause instanceof FetchFailure)) error.cause = cause;
  return error;
}

/** Returns a function that reports the first failure of each reason as a warning of the process. */
function warnOnce(): (error: SigningError) => void {
  const reported = new Set<string>();
  return ({ member = '', message }) => {
    if (reported.has(member)) return;
    reported.add(member);
    const { process } = globalThis as {
      readonly process?: {
        readonly emitWarning?: (text: string, options: { code: string; detail: string }) => void;
      };
    };
    process?.emitWarning?.(message, {
      code: 'COUNTERSIGN_KEYS_UNAVAILABLE',
      detail:
        'Keys that were fetched before are used for `maxStaleMs`. Then, deliveries fail, and have to be sent again.',
    });
  };
}
