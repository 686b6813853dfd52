import ts from 'typescript';
import type { FoundPhrase } from './phrases.ts';

/** Participles and pronouns, which do not name anything alone. See "How we write". */
const words: ReadonlySet<string> = new Set(
  'found own known written given one others whole valid'.split(' '),
);

/**
 * Finds declared names that are only a participle or a pronoun. In tests and generated code, members of types can have
 * names of foreign formats and of contracts.
 */
export function findNames(text: string, path = 'source.ts'): readonly FoundPhrase[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const hasForeignMembers = /^(?:test|generated)\//u.test(path);
  const nodes: ts.Node[] = [file];
  const names: FoundPhrase[] = [];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    nodes.push(...node.getChildren(file));
    if (!declaresName(node) || (hasForeignMembers && ts.isTypeElement(node))) continue;
    const name = ts.getNameOfDeclaration(node);
    if (name === undefined || !ts.isMemberName(name)) continue;
    if (!words.has(name.text.replace('#', '').toLowerCase())) continue;
    const { line } = file.getLineAndCharacterOfPosition(name.getStart(file));
    names.push({ line: line + 1, phrase: name.text, instead: 'a noun for what it is' });
  }
  return names;
}

function declaresName(node: ts.Node): node is ts.Declaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isTypeElement(node) ||
    ts.isClassElement(node) ||
    ts.isClassDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node)
  );
}
