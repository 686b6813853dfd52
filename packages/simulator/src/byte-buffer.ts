/** The bytes that a buffer has room for at first. */
const firstSize = 4096;

/**
 * Collects the bytes of a body. Copies each chunk: thousands of small ones, each an object that keeps a larger block of
 * memory, take many times the memory of the body.
 */
export class ByteBuffer {
  /** The number of bytes that were added. */
  size = 0;
  #bytes = new Uint8Array(0);

  /** Adds a chunk. */
  add(chunk: Uint8Array): void {
    const size = this.size + chunk.byteLength;
    if (size > this.#bytes.byteLength) {
      const larger = new Uint8Array(Math.max(firstSize, size, 2 * this.#bytes.byteLength));
      larger.set(this.#bytes.subarray(0, this.size));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.size);
    this.size = size;
  }

  /** Returns the first bytes, at most `limit`, without those that the buffer only has room for. */
  bytes(limit: number = this.size): Uint8Array<ArrayBuffer> {
    const size = Math.min(limit, this.size);
    // A view of a much larger block would keep that in memory.
    return size * 2 > this.#bytes.byteLength
      ? this.#bytes.subarray(0, size)
      : this.#bytes.slice(0, size);
  }
}
