import ts from 'typescript';
import type { FoundPhrase } from './phrases.ts';

/** Participles and pronouns, which do not name anything alone. See "How we write". */
const words: ReadonlySet<string> = new Set(
  'found own known written given one others whole valid'.split(' '),
);

/**
 * Finds names that are only a participle or a pronoun where they are read far from their declaration: members of types,
 * functions, methods, and what a module declares. Short-lived variables and parameters are not checked.
 */
export function findNames(text: string): readonly FoundPhrase[] {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const nodes: ts.Node[] = [file];
  const names: FoundPhrase[] = [];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    nodes.push(...node.getChildren(file));
    if (!isWidelyRead(node)) continue;
    const name = ts.getNameOfDeclaration(node);
    if (name === undefined || !ts.isMemberName(name)) continue;
    if (!words.has(name.text.replace('#', ''))) continue;
    const { line } = file.getLineAndCharacterOfPosition(name.getStart(file));
    names.push({ line: line + 1, phrase: name.text, instead: 'a noun for what it is' });
  }
  return names;
}

function isWidelyRead(node: ts.Node): node is ts.Declaration {
  if (ts.isVariableDeclaration(node)) {
    const statement = node.parent.parent;
    return ts.isVariableStatement(statement) && ts.isSourceFile(statement.parent);
  }
  return (
    ts.isTypeElement(node) ||
    ts.isClassElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node)
  );
}
