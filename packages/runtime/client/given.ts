import { ClientError } from './client-error.ts';

/**
 * Returns a function from the options with recognizable failures. An error that it throws or rejects with becomes the
 * cause of a ClientError `function-failed` that names the option. Such a failure never counts as a network failure.
 */
export function guard<Arguments extends readonly unknown[], Result>(
  option: string,
  run: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  return (...args) => {
    try {
      const result = run(...args);
      if (!isThenable(result)) return result;
      return Promise.resolve(result).catch((cause: unknown) => {
        throw functionFailed(option, cause);
      }) as Result;
    } catch (cause) {
      throw functionFailed(option, cause);
    }
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Does the same for a function that returns a number. A result that is not a finite number is a failure too. */
export function guardNumber(option: string, run: () => number): () => number {
  const guarded = guard(option, run);
  return () => {
    const result: unknown = guarded();
    if (typeof result === 'number' && Number.isFinite(result)) return result;
    throw new ClientError(
      'function-failed',
      `The function of the option ${option} did not return a finite number.`,
    );
  };
}

/** Creates the error for a failed function from the options. The connection removes secrets from its cause. */
export function functionFailed(option: string, cause: unknown): ClientError {
  return new ClientError(
    'function-failed',
    `The function of the option ${option} failed. The cause is what it threw.`,
    { cause },
  );
}
