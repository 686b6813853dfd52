import { ts } from 'ts-morph';

/** Returns the syntax errors of a TypeScript text, in source order. */
export function syntaxErrors(name: string, text: string): readonly string[] {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: name,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext },
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

/** Returns whether a text is JSON, with a byte order mark or without. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/u, ''));
    return true;
  } catch {
    return false;
  }
}
