/** A refusal of the control API. */
class ApiError extends Error {
  override readonly name = 'ApiError' as const;
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Calls the control API of this console.
 * @throws ApiError for a refusal, and for a console that does not answer
 */
export async function callApi<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, {
      method,
      credentials: 'same-origin',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        'x-countersign-console': '1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    });
  } catch {
    throw new ApiError('unreachable', 'The console does not answer. Is its command still running?');
  }
  const value = (await response.json().catch(() => undefined)) as
    | { readonly error?: { readonly code: string; readonly message: string } }
    | undefined;
  if (response.ok) return value as T;
  throw new ApiError(value?.error?.code ?? 'internal', value?.error?.message ?? 'It failed.');
}

/** Returns the message of an error for the reader. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'It failed.';
}

/**
 * Exchanges the token in the address for a session, and removes it from the address. Without a token, the session of an
 * earlier visit continues.
 */
export async function openSession(): Promise<void> {
  const [, token] = /^#token=([\w-]+)$/u.exec(location.hash) ?? [];
  if (token === undefined) return;
  history.replaceState(undefined, '', location.pathname);
  await callApi('POST', 'session', { token });
}
