/**
 * Returns whether a rejection of `fetch` is a network failure. Every other rejection is an error of the program, and
 * repeating the call does not help.
 * @param isPlatform whether `fetch` is the platform's own. The Fetch standard lets it reject with a TypeError both for
 * network failures and for arguments that it cannot send. Creating a `Request` detects such arguments.
 */
export function isNetworkFailure(
  error: unknown,
  isPlatform: boolean,
  url: string,
  init: RequestInit,
): boolean {
  if (isPlatform) return canBeSent(url, init);
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return typeof code === 'string' || cause instanceof Error || knownMessages.test(error.message);
}

/** The messages of network failures of the platforms' own `fetch` and of popular replacements. */
const knownMessages =
  /^(?:fetch failed|terminated|failed to fetch|load failed|networkerror|(?:a |the )?(?:network|internet) |error sending)/i;

function canBeSent(url: string, init: RequestInit): boolean {
  try {
    // A bundler can leave out an object that nothing uses.
    return Boolean(new Request(url, init));
  } catch {
    return false;
  }
}

/**
 * Returns whether a network failure is known to have occurred before the first byte was sent. Node's `fetch` names the
 * failed system call in the cause: looking up the host name, or connecting. A host with several addresses has several
 * causes. A failure without these names may have occurred later.
 */
export function isUnsent(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  const causes: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return causes.length > 0 && causes.every(isBeforeSending);
}

function isBeforeSending(cause: unknown): boolean {
  const { syscall, code } = (cause ?? {}) as { readonly syscall?: unknown; code?: unknown };
  return ['getaddrinfo', 'connect', 'UND_ERR_CONNECT_TIMEOUT'].includes(
    (syscall ?? code) as string,
  );
}
