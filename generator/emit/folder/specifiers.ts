import type { ts } from 'ts-morph';

/** Replaces the module specifiers of the imports and exports of a file, and keeps every other byte. */
export function replaceSpecifiers(
  typescript: typeof ts,
  text: string,
  replace: (specifier: string) => string,
): string {
  const file = typescript.createSourceFile('file.ts', text, typescript.ScriptTarget.Latest);
  const specifiers: ts.StringLiteralLike[] = [];
  const take = (node: ts.Node | undefined): void => {
    if (node !== undefined && typescript.isStringLiteralLike(node)) specifiers.push(node);
  };
  const search = (node: ts.Node): void => {
    if (typescript.isImportDeclaration(node) || typescript.isExportDeclaration(node)) {
      take(node.moduleSpecifier);
    } else if (typescript.isImportTypeNode(node) && typescript.isLiteralTypeNode(node.argument)) {
      take(node.argument.literal);
    } else if (
      typescript.isCallExpression(node) &&
      node.expression.kind === typescript.SyntaxKind.ImportKeyword
    ) {
      take(node.arguments[0]);
    }
    if (isDynamic) typescript.forEachChild(node, search);
  };
  // Most files have only static imports, which are top-level statements.
  const isDynamic = /\bimport\s*\(/u.test(text);
  for (const statement of file.statements) search(statement);
  let result = '';
  let end = 0;
  for (const node of specifiers.toSorted((a, b) => a.pos - b.pos)) {
    // The specifier without its quotes.
    const start = node.getStart(file) + 1;
    result += text.slice(end, start) + replace(node.text);
    end = node.end - 1;
  }
  return result + text.slice(end);
}
