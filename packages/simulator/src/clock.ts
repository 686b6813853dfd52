/** A duration: milliseconds, or text such as `250ms`, `30s`, `5m`, `1h` or `2d`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/**
 * The clock of schedules. It runs with real time, unless it is manual; `advance` moves it forward and runs what is due
 * on the way, in order.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `action` when the clock has reached a time. Returns a function that cancels it. */
  schedule(at: number, action: () => unknown): () => void;
  /**
   * Resolves after the actions that are due, and the promises that they return, have ended.
   * @throws SimulatorError `invalid-option` for a value that is not a duration, and for a time after the year 9999
   */
  advance(by: Duration): Promise<void>;
  /** Cancels everything that is scheduled. */
  close(): void;
}
