import { join } from 'node:path';
import ts from 'typescript';

/**
 * Returns what TypeScript refuses in `compare.ts` of a folder, by line, counted from 0.
 * @throws Error for an error in another file that it reports
 */
export function refusedLines(folder: string): ReadonlyMap<number, string> {
  const file = join(folder, 'compare.ts');
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: ['node'],
    customConditions: ['countersign-source'],
  });
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error('compare.ts is not there');
  return new Map(
    [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()].map(
      ({ file: where, start = 0, messageText }) => {
        const message = ts.flattenDiagnosticMessageText(messageText, '\n');
        if (where !== source) throw new Error(`${where?.fileName ?? ''}: ${message}`);
        return [source.getLineAndCharacterOfPosition(start).line, message];
      },
    ),
  );
}
