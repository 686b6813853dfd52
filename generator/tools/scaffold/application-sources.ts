import { Project, ts, type Node, type SourceFile } from 'ts-morph';
import { ScaffoldError, type SourcePlace, type ScaffoldProblem } from './scaffold-error.ts';

/** The texts of an application's files, by path relative to its folder, with `/`. */
export type SourceTexts = ReadonlyMap<string, string>;

/** The parsed files of an application that can register handlers. */
export interface ApplicationSources {
  readonly files: readonly SourceFile[];
  /** Returns the path of a file, relative to the application's folder. */
  pathOf(file: SourceFile): string;
  placeOf(node: Node): SourcePlace;
}

/**
 * Parses the files that mention one of the packages, and the files of the application that these import. Names are
 * resolved in these files only; nothing is read from the disk.
 * @throws ScaffoldError `syntax-error`
 */
export function parseSources(
  sources: SourceTexts,
  packages: readonly string[],
): ApplicationSources {
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
  const pathOf = (file: SourceFile): string => file.getFilePath().slice(1);
  const files = project
    .getSourceFiles()
    .toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1));
  const problems = files.flatMap((file) => syntaxErrors(pathOf(file), file.getFullText()));
  if (problems.length > 0) throw new ScaffoldError('syntax-error', ...problems);
  return {
    files,
    pathOf,
    placeOf: (node) => {
      const file = node.getSourceFile();
      return { path: pathOf(file), ...file.getLineAndColumnAtPos(node.getStart()) };
    },
  };
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
