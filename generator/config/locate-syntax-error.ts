import type { ParseError } from 'jsonc-parser';
import { renderFrame } from '../diagnostics/code-frame.ts';
import type { ConfigProblem } from '../diagnostics/config-error.ts';

/** The languages of a configuration. */
export type Language = 'js' | 'json' | 'ts';

/** A syntax error at an offset in UTF-16 code units. */
interface SyntaxMistake {
  readonly message: string;
  readonly offset: number;
}

/**
 * Parses a text that Node refused and returns its first syntax error with its place. Node reports no place for
 * JavaScript, and V8 reports none for some errors of JSON. Returns `undefined` if the text has no syntax error of its
 * own.
 * @param refusal the message of Node
 */
export async function locateSyntaxError(
  text: string,
  language: Language,
  refusal: string,
): Promise<ConfigProblem | undefined> {
  const mistake =
    language === 'json' ? await findInJson(text, refusal) : await findInScript(text, language);
  if (mistake === undefined) return undefined;
  const before = text.slice(0, mistake.offset).split('\n');
  return atPlace(mistake.message, text, before.length, (before.at(-1)?.length ?? 0) + 1);
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

async function findInScript(
  text: string,
  language: 'js' | 'ts',
): Promise<SyntaxMistake | undefined> {
  const { ts } = await import('ts-morph');
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: `configuration.${language}`,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext },
  });
  const [first] = diagnostics.filter(({ category }) => category === ts.DiagnosticCategory.Error);
  if (first === undefined) return undefined;
  const message = ts.flattenDiagnosticMessageText(first.messageText, ' ');
  return { message, offset: first.start ?? 0 };
}

async function findInJson(text: string, refusal: string): Promise<SyntaxMistake | undefined> {
  const { parse } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [first] = errors;
  // The code frame shows the place and the text, which the message of V8 repeats in part.
  const message = refusal.replace(/ in JSON at position .*|, \.*".*" is not valid JSON$/su, '');
  return first && { message: `This is not valid JSON. ${message}.`, offset: first.offset };
}
