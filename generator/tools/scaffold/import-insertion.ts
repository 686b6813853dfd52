import { Node, ts, type ImportDeclaration, type SourceFile } from 'ts-morph';
import type { Insertion } from './insertion.ts';
import { indentationAt, lineBreakNear, lineEnd } from './layout.ts';

/** An export of a file of the application to import. */
export interface NewImport {
  readonly name: string;
  /** The path of its file without extension, relative to the importing file: `./handlers/refund`. */
  readonly path: string;
}

/** Returns the insertions that add imports to a file, in the style of its other imports. */
export function insertImports(
  file: SourceFile,
  imports: readonly (NewImport & { readonly local: string })[],
): readonly Insertion[] {
  const text = file.getFullText();
  const declarations = file.getImportDeclarations();
  const last = declarations.findLast(isRelative) ?? declarations.at(-1);
  const quote = quoteOf(declarations);
  const ending = endingOf(file);
  const isTerminated = last === undefined || last.getText().endsWith(';');
  const lines = imports.map(({ name, local, path }) => {
    const binding = name === local ? name : `${name} as ${local}`;
    return `import { ${binding} } from ${quote}${path}${ending}${quote}`;
  });
  if (last === undefined) {
    const lineBreak = lineBreakNear(text, 0);
    const at = startOfCode(file);
    return [{ at, text: lines.map((line) => `${line};${lineBreak}`).join('') }];
  }
  const end = ts.getTrailingCommentRanges(text, last.getEnd())?.at(-1)?.end ?? last.getEnd();
  const lineBreak = lineBreakNear(text, last.getStart());
  const isLastInLine = text.slice(end, lineEnd(text, end)).trim() === '';
  const semicolon = isTerminated || !isLastInLine ? ';' : '';
  const indentation = indentationAt(text, last.getStart());
  return [
    {
      at: end,
      text: lines.map((line) => `${lineBreak}${indentation}${line}${semicolon}`).join(''),
    },
  ];
}

/** Returns a name that no identifier of a file has: the wished name, or that name with a number. */
export function freeName(file: SourceFile, wished: string): string {
  const taken = new Set(
    file
      .getDescendants()
      .filter((node) => Node.isIdentifier(node))
      .map((node) => node.getText()),
  );
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? wished : `${wished}${count}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** Returns the quotation mark of most imports; `'` on a tie. */
function quoteOf(declarations: readonly ImportDeclaration[]): string {
  const marks = declarations.map((declaration) => declaration.getModuleSpecifier().getText()[0]);
  const doubles = marks.filter((mark) => mark === '"').length;
  return doubles * 2 > marks.length ? '"' : "'";
}

/**
 * Returns the extension that a file's relative imports end with: `.ts`, `.js`, `.mts`, `.mjs` or none. Defaults to
 * `.ts`.
 */
export function endingOf(file: SourceFile): string {
  const path = file.getImportDeclarations().findLast(isRelative)?.getModuleSpecifierValue();
  if (path === undefined) return '.ts';
  const [, ending = ''] = /(\.m?[jt]s)x?$/u.exec(path) ?? [];
  return ending;
}

function isRelative(declaration: ImportDeclaration): boolean {
  return declaration.getModuleSpecifierValue().startsWith('.');
}

/** Returns the offset of the first statement, which is after `#!` and leading comments. */
function startOfCode(file: SourceFile): number {
  return file.getStatements()[0]?.getStart() ?? file.getEnd();
}
