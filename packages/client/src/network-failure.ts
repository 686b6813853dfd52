/**
 * Returns whether a rejection of `fetch` is a failure of the network. Everything else that it rejects with is an error
 * of the program, which no repetition repairs.
 * @param isPlatform whether `fetch` is the platform's own. The Fetch standard lets it reject with a TypeError for
 * the network and for arguments that it cannot send alike; such arguments are found by making a `Request` of them.
 */
export function isNetworkFailure(
  error: unknown,
  isPlatform: boolean,
  url: string,
  init: RequestInit,
): boolean {
  if (isPlatform) return isRequest(url, init);
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return typeof code === 'string' || cause instanceof Error || knownMessages.test(error.message);
}

/** How the platforms' own `fetch` and popular replacements call a failure of the network. */
const knownMessages =
  /^(?:fetch failed|terminated|Failed to fetch|NetworkError|Load failed|network error|A network error|Network request failed|Network connection lost|The network connection was lost|The Internet connection appears|error sending request)/i;

function isRequest(url: string, init: RequestInit): boolean {
  try {
    return new Request(url, { ...init, signal: null }) instanceof Request;
  } catch {
    return false;
  }
}

/**
 * Returns whether a network failure is known to have come before the first byte was sent. Node's `fetch` names the
 * system call in the cause, or in each of several causes where a host has several addresses: the look-up of the name,
 * or the opening of the connection. A failure without these names may have come later.
 */
export function isUnsent(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  const causes: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return causes.length > 0 && causes.every(isBeforeSending);
}

function isBeforeSending(cause: unknown): boolean {
  const { syscall, code } = (cause ?? {}) as { readonly syscall?: unknown; code?: unknown };
  return syscall === 'getaddrinfo' || syscall === 'connect' || code === 'UND_ERR_CONNECT_TIMEOUT';
}
