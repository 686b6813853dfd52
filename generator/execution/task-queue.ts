/** Runs asynchronous tasks in the order in which they are added, at most `width` at a time. */
export class TaskQueue {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(width: number) {
    this.#free = width;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
