import { Project, ts, type Node, type SourceFile } from 'ts-morph';
import {
  ScaffoldError,
  type ScaffoldErrorCode,
  type ScaffoldProblem,
  type SourcePlace,
} from './scaffold-error.ts';

/** The texts of an application's files, by path relative to its folder, with `/`. */
export type SourceTexts = ReadonlyMap<string, string>;

/**
 * Parses the files that mention one of the packages, and the files of the application that these import. Names are
 * resolved in these files only; nothing is read from the disk.
 * @throws ScaffoldError `syntax-error`
 */
export function parseSources(
  sources: SourceTexts,
  packages: readonly string[],
): readonly SourceFile[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: {
      noLib: true,
      types: [],
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      experimentalDecorators: true,
    },
  });
  const fileSystem = project.getFileSystem();
  for (const [path, text] of sources) {
    // Offsets count from the character after a byte order mark.
    fileSystem.writeFileSync(`/${path}`, text.replace(/^\ufeff/u, ''));
  }
  for (const [path, text] of sources) {
    if (packages.some((name) => text.includes(name))) project.addSourceFileAtPath(`/${path}`);
  }
  project.resolveSourceFileDependencies();
  const files = project.getSourceFiles().toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
  const problems = files.flatMap((file) => syntaxErrors(pathOf(file), file.getFullText()));
  if (problems.length > 0) throw new ScaffoldError('syntax-error', ...problems);
  return files;
}

/** Returns the path of a parsed file, relative to the application's folder. */
export function pathOf(file: SourceFile): string {
  return file.getFilePath().slice(1);
}

/** Returns the place at which a node begins, without the comments before it. */
export function placeOf(node: Node): SourcePlace {
  const file = node.getSourceFile();
  return { path: pathOf(file), ...file.getLineAndColumnAtPos(node.getStart()) };
}

/** Creates the error for a problem at one or several places of an application. */
export function createErrorAt(
  code: ScaffoldErrorCode,
  message: string,
  ...nodes: readonly Node[]
): ScaffoldError {
  return new ScaffoldError(code, ...nodes.map((node) => ({ message, place: placeOf(node) })));
}

/** Returns the syntax errors of a TypeScript text, in source order. */
export function syntaxErrors(path: string, text: string): readonly ScaffoldProblem[] {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, experimentalDecorators: true },
  });
  return diagnostics.map(({ file, start = 0, messageText }) => {
    const { line, character } = file?.getLineAndCharacterOfPosition(start) ?? {
      line: 0,
      character: 0,
    };
    return {
      place: { path, line: line + 1, column: character + 1 },
      message: `has a syntax error: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    };
  });
}
