import { WebhookError } from './webhook-error.ts';

/** The bytes that are allocated for the second chunk of a body, if that many are allowed. */
const firstCapacity = 4096;

/**
 * Collects the chunks of a body. Keeps their bytes and not the chunks, so that it needs memory of the order of the body,
 * however short the chunks are. A body of one chunk is not copied.
 */
export class BodyBytes {
  readonly #limit: number;
  /** The first chunk, or a copy of all chunks with space for more. */
  #bytes: Uint8Array = new Uint8Array(0);
  #size = 0;
  #isCopy = false;

  /** @param limit the maximum number of bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws WebhookError `too-large` where the body has more bytes than the limit */
  add(chunk: Uint8Array): void {
    const start = this.#size;
    this.#size += chunk.length;
    if (this.#size > this.#limit)
      throw new WebhookError('too-large', 'The body is larger than `limit`.');
    if (start === 0) {
      this.#bytes = chunk;
      this.#isCopy = false;
      return;
    }
    if (!this.#isCopy || this.#size > this.#bytes.length) this.#grow(start);
    this.#bytes.set(chunk, start);
  }

  /** Returns the bytes of all chunks. */
  take(): Uint8Array {
    return this.#size === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#size);
  }

  /** Doubles the space, so that each byte is copied a limited number of times. */
  #grow(used: number): void {
    const doubled = Math.min(Math.max(2 * this.#bytes.length, firstCapacity), this.#limit);
    const bytes = new Uint8Array(Math.max(doubled, this.#size));
    bytes.set(this.#bytes.subarray(0, used));
    this.#bytes = bytes;
    this.#isCopy = true;
  }
}
