import {
  IndentationText,
  Project,
  QuoteKind,
  StructureKind,
  type SourceFileStructure,
  type StatementStructures,
} from 'ts-morph';
import type { FileStructure } from './handler-structures.ts';

/** One project for all files: each is forgotten after it is printed. */
let project: Project | undefined;

/** Prints the structure of a file as TypeScript. The caller formats the text. */
export function printFile({ imports, declarations }: FileStructure): string {
  return `${printStatements(imports)}\n${printStatements(declarations())}`;
}

/** Prints the structures of statements as TypeScript, in one step. The caller formats the text. */
export function printStatements(statements: readonly StatementStructures[]): string {
  project ??= new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    manipulationSettings: {
      indentationText: IndentationText.TwoSpaces,
      quoteKind: QuoteKind.Single,
    },
  });
  const structure: SourceFileStructure = {
    kind: StructureKind.SourceFile,
    statements: [...statements],
  };
  const file = project.createSourceFile('file.ts', structure, { overwrite: true });
  const text = file.getFullText();
  file.forget();
  return text;
}
