import type { Claim, InboxEvent, InboxEventWithPayload } from './store.ts';

/** What is stored of a delivery once for all its events. */
export type Payload = Pick<InboxEventWithPayload, 'method' | 'target' | 'headers' | 'body'>;

/** A claim, with the payload of its delivery where the store had to read it. */
export interface BareClaim {
  readonly event: InboxEvent;
  readonly token: number;
  readonly payload?: Payload;
  /** Whether the payload was read and is damaged. */
  readonly unreadable?: boolean;
}

/** What an event has instead of a payload that cannot be read. */
export const noPayload: Payload = { method: '', target: '', headers: [], body: new Uint8Array() };

/** Milliseconds after which a payload that no claim needed is forgotten. */
const maxIdleMs = 60_000;

/**
 * The payloads of deliveries with several events that were claimed last. Reading a payload again for each event would
 * take quadratic time for a delivery of many events. All events of a delivery get the same objects. It holds as many as
 * the largest claim has events, so that events in work at the same time do not displace one another.
 */
export class PayloadCache {
  readonly #payloads = new Map<string, { readonly payload: Payload; usedAt: number }>();
  readonly #now: () => number;
  #limit = 0;

  /** @param now returns milliseconds that are never set back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Claims events with the function, which gets the ids of receipts whose payloads need not be read. */
  async claim(
    limit: number,
    run: (cachedReceipts: readonly string[]) => Promise<readonly BareClaim[]>,
  ): Promise<readonly Claim[]> {
    this.#limit = Math.max(this.#limit, limit);
    const now = this.#now();
    for (const [id, { usedAt }] of this.#payloads)
      if (now - usedAt > maxIdleMs) this.#payloads.delete(id);
    // Other claims can displace payloads meanwhile.
    const payloads = new Map(Array.from(this.#payloads, ([id, { payload }]) => [id, payload]));
    const claims = await run([...payloads.keys()]);
    return claims.map(({ event, token, payload: read, unreadable = false }): Claim => {
      const { receiptId, count } = event;
      const payload = payloads.get(receiptId) ?? read;
      // The other events of a damaged delivery come without its payload.
      if (unreadable || payload === undefined)
        return { event: { ...event, ...noPayload }, token, unreadable: true };
      payloads.set(receiptId, payload);
      if (count > 1) this.#keep(receiptId, payload, now);
      return { event: { ...event, ...payload }, token };
    });
  }

  #keep(id: string, payload: Payload, usedAt: number): void {
    this.#payloads.delete(id);
    this.#payloads.set(id, { payload, usedAt });
    for (const oldest of this.#payloads.keys()) {
      if (this.#payloads.size <= this.#limit) break;
      this.#payloads.delete(oldest);
    }
  }
}
