/**
 * The number of events that are blocked. Counting them takes time in proportion to their number, and a full inbox needs
 * it for each receipt: they are counted again only so often that counting takes at most a twentieth of the time.
 */
export class BlockedCount {
  #events = 0;
  #recountAt = -Infinity;

  /** Returns the last count, or `undefined` if it is time to count again. */
  get(): number | undefined {
    return performance.now() < this.#recountAt ? this.#events : undefined;
  }

  /**
   * Keeps a count, and returns it.
   * @param startedAt the time of `performance.now()` at which counting began
   */
  keep(events: number, startedAt: number): number {
    const ended = performance.now();
    this.#events = events;
    this.#recountAt = ended + 20 * (ended - startedAt);
    return events;
  }
}
