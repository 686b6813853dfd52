import type { CallEntry } from '@countersign/simulator';
import type { ClientEvent } from '../../../packages/runtime/client/client.ts';
import type { SentRequest } from './fault-proxy.ts';

/** What became of all requests of a soak. */
export interface SoakSum {
  /** Requests of which at least one byte was sent. */
  readonly requests: number;
  /** Calls with more than one such request. */
  readonly repeated: number;
  readonly bookings: number;
  readonly executedBookings: number;
  /** Bookings that were sent again after the service had refused the access token. */
  readonly bookingsAfter401: number;
  /** Bookings that were sent again although the service may have executed them. */
  readonly bookingsSentTwice: number;
  readonly bookingsExecutedTwice: number;
  readonly tokens: TokenRequests;
  readonly faults: Readonly<Record<string, number>>;
}

/** Token requests by their reasons: the first one, and one for each token that expired, was not received, or refused. */
type TokenRequests = Readonly<Record<TokenReason | 'requests', number>>;

type TokenReason = 'first' | 'expired' | 'failed' | 'refused' | 'unjustified';

/**
 * The milliseconds after its request for which a client keeps a token that lives for one second, less what can pass
 * between the begin of the request and its event.
 */
const tokenLifetime = 900 - 100;

/** Collects requests by their ids, from the proxy, the journal and the client. */
export class SoakLedger {
  readonly #sent = new Map<string, { readonly name: string; count: number; refused: number }>();
  readonly #executed = new Map<string, number>();
  readonly #faults: Record<string, number> = {};
  readonly #tokens = { requests: 0, first: 0, expired: 0, failed: 0, refused: 0, unjustified: 0 };
  #token: 'first' | 'failed' | 'refused' | 'held' = 'first';
  #tokenRequestedAt = 0;

  /** Counts a request of which a byte arrived at the proxy. */
  send({ method, path, requestId }: SentRequest): void {
    const request = this.#sent.get(requestId) ?? {
      name: `${method} ${path}`,
      count: 0,
      refused: 0,
    };
    request.count += 1;
    this.#sent.set(requestId, request);
  }

  /** Counts a booking that the service executed. */
  execute(requestId: string): void {
    this.#executed.set(requestId, (this.#executed.get(requestId) ?? 0) + 1);
  }

  /** Counts the faults and refusals that the journal records. */
  record({ request, response, faults }: CallEntry): void {
    for (const fault of faults) this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
    if (response?.status !== 401) return;
    const [, id = ''] =
      request.headers.find(([name]) => name.toLowerCase() === 'x-request-id') ?? [];
    const sent = this.#sent.get(id);
    if (sent !== undefined) sent.refused += 1;
  }

  /** Counts token requests by their reasons, as the events of the client show them. */
  observe(event: ClientEvent): void {
    if (!('operation' in event)) return;
    const { type, operation } = event;
    if (operation !== 'issueToken') {
      if (type === 'retry' && event.reason === 'unauthorized' && this.#token === 'held')
        this.#token = 'refused';
      return;
    }
    if (type === 'request') {
      this.#tokens.requests += 1;
      this.#tokens[this.#reason()] += 1;
      if (event.attempt === 1) this.#tokenRequestedAt = performance.now();
      this.#token = 'failed';
    } else this.#token = type === 'response' && event.status === 200 ? 'held' : 'failed';
  }

  #reason(): TokenReason {
    if (this.#token !== 'held') return this.#token;
    return performance.now() - this.#tokenRequestedAt >= tokenLifetime ? 'expired' : 'unjustified';
  }

  sum(): SoakSum {
    const all = [...this.#sent.values()];
    const bookings = all.filter(({ name }) => name === 'POST /bookings');
    const executions = [...this.#executed.values()];
    return {
      requests: all.reduce((sum, { count }) => sum + count, 0),
      repeated: all.filter(({ count }) => count > 1).length,
      bookings: bookings.length,
      executedBookings: executions.length,
      bookingsAfter401: bookings.filter(({ count, refused }) => count > 1 && refused > 0).length,
      bookingsSentTwice: bookings.filter(({ count, refused }) => count - refused > 1).length,
      bookingsExecutedTwice: executions.filter((count) => count > 1).length,
      tokens: this.#tokens,
      faults: this.#faults,
    };
  }
}
