import { JudgeError } from '../../schema/judge.ts';

/** Returns the result of a check, or the fallback for a value that cannot be judged. */
export async function orElse<T>(check: () => Promise<T>, fallback: T): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof JudgeError) return fallback;
    throw error;
  }
}
