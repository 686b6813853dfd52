/** The bytes that are allocated for the second chunk. */
const secondCapacity = 4096;

/**
 * Collects chunks of bytes. Copies their bytes and keeps no chunk, so that it needs memory of the order of the bytes,
 * however short the chunks are, and whatever block of memory each of them is a part of.
 */
export class GrowingBytes {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #length = 0;

  /** The number of collected bytes. */
  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const start = this.#length;
    this.#length += chunk.length;
    if (this.#length > this.#bytes.length) {
      // A first chunk is often the only one. Doubling copies each byte a limited number of times.
      const capacity = start === 0 ? 0 : Math.max(2 * this.#bytes.length, secondCapacity);
      const bytes = new Uint8Array(Math.max(capacity, this.#length));
      bytes.set(this.#bytes.subarray(0, start));
      this.#bytes = bytes;
    }
    this.#bytes.set(chunk, start);
  }

  /** Returns the collected bytes in a separate buffer, and starts again without any. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes;
    const taken = this.#length === bytes.length ? bytes : bytes.slice(0, this.#length);
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    return taken;
  }
}
