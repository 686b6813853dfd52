import { isTimeLimit, runWithin } from './attempt.ts';
import type { Inbox } from './inbox.ts';
import { InboxError } from './inbox-error.ts';
import { unavailable } from './readiness.ts';
import type { InboxWorker, Readiness } from './worker-options.ts';

/** The answer to a request of a platform. It contains no error and no data of an event. */
export interface ProbeAnswer {
  readonly status: 200 | 404 | 405 | 503;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. Empty for HEAD. */
  readonly body: string;
}

/** Answers the requests of a platform about a process. */
export interface Probes {
  /**
   * Answers `GET` and `HEAD` of paths that end in `/live` or `/ready`. A query is ignored. Never rejects.
   * @param path the path of the request, or its URL
   */
  answer(method: string, path: string): Promise<ProbeAnswer>;
  /** Does the same for a Web-standard request. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Creates the probes of a worker, or of a receiver that stores in an inbox. Liveness does not call the store. Readiness
 * is whether the worker claims events, or whether the receiver can store deliveries. It is 503 after `timeoutMs` if the
 * store does not answer (default: 2,000), and calls the store once for all requests that wait at the same time.
 * @throws InboxError `invalid-option`
 */
export function createProbes(
  source:
    | Pick<InboxWorker, 'readiness'>
    | Pick<Inbox<unknown, unknown>, 'readiness' | 'lastFailure'>,
  { timeoutMs = 2000 }: { readonly timeoutMs?: number } = {},
): Probes {
  if (!isTimeLimit(timeoutMs))
    throw new InboxError('invalid-option', '`timeoutMs` must be above 0 and below 2^31');
  let pending: Promise<Readiness> | undefined;

  async function readiness(): Promise<Readiness> {
    // A store that hangs would get another call with each request.
    pending ??= source.readiness().finally(() => {
      pending = undefined;
    });
    const shared = pending;
    try {
      return await runWithin(timeoutMs, new AbortController().signal, async () => await shared);
    } catch {
      return unavailable;
    }
  }

  /** Returns the last failure of a receiver: its time and its code, which is a word of this package. */
  function describeFailure(): object {
    if (!('lastFailure' in source)) return {};
    const { at, code } = source.lastFailure() ?? {};
    if (at === undefined) return { lastFailure: null };
    return { lastFailure: { at: new Date(at).toISOString(), code } };
  }

  async function answer(method: string, path: string): Promise<ProbeAnswer> {
    const [, probe] = /\/(live|ready)(?:[?#].*)?$/su.exec(path) ?? [];
    if (probe === undefined) return toAnswer(method, 404, { error: 'not found' });
    if (method !== 'GET' && method !== 'HEAD')
      return toAnswer(method, 405, { error: 'method not allowed' }, { allow: 'GET, HEAD' });
    if (probe === 'live') return toAnswer(method, 200, { live: true });
    const { ready, backlog = null, oldestAgeMs = null, ...more } = await readiness();
    const { blockedKeys = null, deadLetters = null } = more;
    const figures = { ready, backlog, oldestAgeMs, blockedKeys, deadLetters };
    return toAnswer(method, ready ? 200 : 503, { ...figures, ...describeFailure() });
  }

  return {
    answer,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const { status, headers, body } = await answer(request.method, pathname);
      return new Response(body === '' ? null : body, { status, headers });
    },
  };
}

function toAnswer(
  method: string,
  status: ProbeAnswer['status'],
  content: object,
  headers: Readonly<Record<string, string>> = {},
): ProbeAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: method === 'HEAD' ? '' : JSON.stringify(content),
  };
}
