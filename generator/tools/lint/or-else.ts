import { JudgeError } from '../../schema/judge.ts';

/** Returns the result of a check, or the fallback if the check throws a JudgeError. */
export async function orElse<T>(check: () => Promise<T>, fallback: T): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof JudgeError) return fallback;
    throw error;
  }
}
