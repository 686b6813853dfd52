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
