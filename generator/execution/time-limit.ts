import { createContext, Script } from 'node:vm';

/** A task was stopped because it took too long. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/**
 * Runs synchronous tasks of which a hostile contract can make any last for ever. `run` throws a TimeLimitError when a
 * task takes longer than a second; all tasks together get five, and 20 ms each when these are spent.
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

/** Node makes this error in the realm of the script, where `Error` is another class. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
