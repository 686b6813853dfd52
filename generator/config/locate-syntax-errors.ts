import type { Location, TransformFailure } from 'esbuild';
import { renderFrame } from '../diagnostics/code-frame.ts';
import type { ConfigProblem } from '../diagnostics/config-error.ts';

/** The languages of a configuration, as esbuild names them. */
export type Language = 'js' | 'json' | 'ts';

/**
 * Parses a text that Node refused and returns each syntax error with its place. Node reports no place for JavaScript,
 * and V8 reports none for some errors of JSON. Returns an empty list if the text has no syntax error of its own.
 */
export async function locateSyntaxErrors(
  text: string,
  language: Language,
): Promise<readonly ConfigProblem[]> {
  const { transform } = await import('esbuild');
  const errors = await transform(text, { loader: language, logLevel: 'silent' }).then(
    () => [],
    (error: unknown) => (isTransformFailure(error) ? error.errors : []),
  );
  return errors.flatMap(({ text: message, location }) =>
    location === null ? [] : atPlace(`${message}.`, text, location.line, toColumn(location)),
  );
}

/** Returns a problem of the file as a whole, with its line, column and code frame. */
export function atPlace(
  message: string,
  text: string,
  line: number,
  column: number,
): ConfigProblem {
  return { member: '', message, line, column, frame: renderFrame(text, line, column) };
}

function isTransformFailure(error: unknown): error is TransformFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

/** Returns the column of a place, counted from 1, in UTF-16 code units. esbuild counts bytes of UTF-8 from 0. */
function toColumn({ lineText, column }: Location): number {
  return Buffer.from(lineText).subarray(0, column).toString().length + 1;
}
