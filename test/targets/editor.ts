import { dirname } from 'node:path';
import ts from 'typescript';

/** What an editor would know of a file that it has open: its language service, and what that says of it. */
export interface Editor {
  readonly service: ts.LanguageService;
  /** The messages about the file. */
  readonly errors: readonly string[];
  /** Returns the documentation that hovering a place shows. */
  hover(at: number): string;
}

/** Opens a file, which does not have to be on disk, with the sources of generated packages or what they built. */
export function openInEditor(
  path: string,
  text: string,
  from: 'source' | 'built' = 'source',
): Editor {
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      strict: true,
      exactOptionalPropertyTypes: true,
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ESNext,
      ...(from === 'source' ? { customConditions: ['countersign-source'] } : {}),
      allowImportingTsExtensions: true,
      noEmit: true,
      types: [],
      lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    }),
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const content = name === path ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => dirname(path),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    ...(ts.sys.realpath === undefined ? {} : { realpath: ts.sys.realpath }),
  });
  return {
    service,
    get errors() {
      return service
        .getSemanticDiagnostics(path)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
    hover: (at) =>
      ts.displayPartsToString([...(service.getQuickInfoAtPosition(path, at)?.documentation ?? [])]),
  };
}
