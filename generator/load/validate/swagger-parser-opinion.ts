import type { LocatedProblem } from '../../diagnostics/problem.ts';
import { AnsweringThread } from '../../execution/thread.ts';
import { TimeLimitError } from '../../execution/time-limit.ts';
import type { JsonObject } from '../../json/json.ts';

/**
 * Returns the problems that swagger-parser finds in a bundled OpenAPI document up to version 3.1. It runs in a thread,
 * reads no file and opens no connection. If it fails or takes too long, returns that as a problem of the document.
 * @param maxMs the maximum duration in milliseconds, by default twenty times what GitHub's document takes
 */
export async function askSwaggerParser(
  root: JsonObject,
  maxMs: number = 60_000,
): Promise<readonly LocatedProblem[]> {
  const thread = new AnsweringThread<JsonObject, readonly LocatedProblem[]>(
    new URL('./opinion-thread.ts', import.meta.url),
  );
  try {
    return await thread.ask(root, maxMs);
  } catch (error) {
    const why =
      error instanceof TimeLimitError
        ? `it takes longer than ${maxMs / 1000} s`
        : error instanceof Error
          ? error.message
          : String(error);
    const message = `swagger-parser cannot check the document (${why}).`;
    return [{ code: 'invalid-openapi', message, members: [] }];
  } finally {
    thread.close();
  }
}
