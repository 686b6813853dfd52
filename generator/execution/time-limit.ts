import { createContext, Script } from 'node:vm';

/** The error of a task that exceeded its time limit. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/**
 * Runs synchronous tasks that a hostile contract could make run forever. `run` throws a `TimeLimitError` if a task
 * takes longer than one second. All tasks together have five seconds; after that, each has 20 ms.
 */
export class TimeLimit {
  readonly #context = createContext({});
  #leftMs = 5000;

  run<T>(task: () => T): T {
    const holder: { result?: T } = {};
    this.#context['task'] = (): void => {
      holder.result = task();
    };
    const start = performance.now();
    const timeout = Math.max(20, Math.min(1000, Math.floor(this.#leftMs)));
    try {
      script.runInContext(this.#context, { timeout });
    } catch (error) {
      if (isTimeout(error)) throw new TimeLimitError('The task took too long.', { cause: error });
      throw error;
    } finally {
      this.#leftMs -= performance.now() - start;
    }
    return holder.result as T;
  }
}

const script = new Script('task()');

/**
 * Returns whether an error is Node's timeout. It belongs to the realm of the script, so `instanceof Error` does not
 * apply.
 */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
