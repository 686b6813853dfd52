import { createContext, Script } from 'node:vm';

/** The error of a task that exceeded its time limit. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/**
 * Runs synchronous tasks that a hostile contract could make run forever. `run` throws a `TimeLimitError` if a task
 * takes longer than one second. All tasks together have five seconds; after that, each has 20 ms.
 */
export interface TimeLimit {
  run<T>(task: () => T): T;
}

export function createTimeLimit(): TimeLimit {
  const context = createContext({});
  let left = 5000;
  return {
    run<T>(task: () => T): T {
      const holder: { result?: T } = {};
      context['task'] = (): void => {
        holder.result = task();
      };
      const start = performance.now();
      try {
        script.runInContext(context, { timeout: Math.max(20, Math.min(1000, Math.floor(left))) });
      } catch (error) {
        if (isTimeout(error)) throw new TimeLimitError('The task took too long.', { cause: error });
        throw error;
      } finally {
        left -= performance.now() - start;
      }
      return holder.result as T;
    },
  };
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
