import { Node, ts, type ImportDeclaration, type SourceFile } from 'ts-morph';
import type { Insertion } from './insertion.ts';
import { indentationAt, lineBreakNear, lineEnd } from './layout.ts';

/** Something to import from a file of the application. */
export interface NewImport {
  readonly name: string;
  /** The path of its file without ending, relative to the importing file: `./handlers/refund`. */
  readonly path: string;
}

/** What is to be inserted so that a file imports more, written as its other imports are. */
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

/** A name that nothing in a file has yet: the one that is wished for, or that with a number. */
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

/** The quotation mark of most imports. */
function quoteOf(declarations: readonly ImportDeclaration[]): string {
  const marks = declarations.map((declaration) => declaration.getModuleSpecifier().getText()[0]);
  const doubles = marks.filter((mark) => mark === '"').length;
  return doubles * 2 > marks.length ? '"' : "'";
}

/** What a file names others with behind their path: `.ts`, `.js`, `.mts`, `.mjs` or nothing. */
export function endingOf(file: SourceFile): string {
  const path = file.getImportDeclarations().findLast(isRelative)?.getModuleSpecifierValue();
  if (path === undefined) return '.ts';
  const [, ending = ''] = /(\.m?[jt]s)x?$/u.exec(path) ?? [];
  return ending;
}

function isRelative(declaration: ImportDeclaration): boolean {
  return declaration.getModuleSpecifierValue().startsWith('.');
}

/** Behind what has to stand first: `#!`, and comments that are about the file. */
function startOfCode(file: SourceFile): number {
  return file.getStatements()[0]?.getStart() ?? file.getEnd();
}
