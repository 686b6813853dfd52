import { ts } from 'ts-morph';
import type { OutputFile } from '../../targets/target.ts';

/** A name that generated code exports, or a member of an exported declaration. */
export interface Declaration {
  readonly name: string;
  /** The declaration that has this member: an interface, a type, a class or an object. */
  readonly owner?: string;
  readonly kind: 'type' | 'function' | 'class' | 'value' | 'member';
  readonly file: OutputFile;
  /** The line in the generated file, counted from 1. */
  readonly line: number;
}

/** Returns the exports of the TypeScript and JavaScript files and the members of these exports, in source order. */
export function declarationsOf(files: readonly OutputFile[]): readonly Declaration[] {
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap((file) => {
    if (!/\.[cm]?[jt]s$/u.test(file.path)) return [];
    // A `.d.ts` file beside a JavaScript file declares the same names.
    if (paths.has(file.path.replace(/\.([cm]?)js$/u, '.d.$1ts')) && !file.path.endsWith('ts'))
      return [];
    return [...readExports(file)];
  });
}

function* readExports(file: OutputFile): Generator<Declaration> {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const lineOf = (node: ts.Node): number =>
    source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const types = new Map(
    source.statements
      .filter((statement) => ts.isTypeAliasDeclaration(statement))
      .map(({ name, type }) => [name.text, type]),
  );
  for (const statement of source.statements) {
    if (!isExported(statement)) continue;
    for (const { name, kind, body } of declaredBy(statement)) {
      if (name === undefined || !ts.isIdentifier(name)) continue;
      yield { name: name.text, kind, file, line: lineOf(statement) };
      for (const [member, node] of membersOf(body, types))
        yield { name: member, owner: name.text, kind: 'member', file, line: lineOf(node) };
    }
  }
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

interface DeclaredName {
  readonly name: ts.Node | undefined;
  readonly kind: Declaration['kind'];
  /** The node with the members. */
  readonly body?: ts.Node | undefined;
}

function declaredBy(statement: ts.Statement): readonly DeclaredName[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name, initializer }) => ({
      name,
      kind: 'value',
      body: initializer,
    }));
  if (ts.isFunctionDeclaration(statement)) return [{ name: statement.name, kind: 'function' }];
  if (ts.isClassDeclaration(statement)) return [{ name: statement.name, kind: 'class' }];
  if (ts.isInterfaceDeclaration(statement))
    return [{ name: statement.name, kind: 'type', body: statement }];
  if (ts.isTypeAliasDeclaration(statement))
    return [{ name: statement.name, kind: 'type', body: statement.type }];
  return [];
}

/**
 * Yields the members of a type or an object, and those of nested type literals, with their names. An intersection also
 * has those of the types of the file that it names.
 */
function* membersOf(
  node: ts.Node | undefined,
  types: ReadonlyMap<string, ts.TypeNode> = new Map(),
): Generator<readonly [name: string, node: ts.Node]> {
  if (node === undefined) return;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    yield* membersOf(node.expression);
  } else if (ts.isIntersectionTypeNode(node)) {
    for (const part of node.types) {
      const isReference = ts.isTypeReferenceNode(part) && ts.isIdentifier(part.typeName);
      yield* membersOf(isReference ? types.get(part.typeName.text) : part);
    }
  } else if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) yield* named(property);
  } else if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) {
    for (const member of node.members) {
      yield* named(member);
      const type = ts.isPropertySignature(member) ? member.type : undefined;
      if (type !== undefined && ts.isTypeLiteralNode(type)) yield* membersOf(type);
    }
  }
}

function* named(node: ts.NamedDeclaration): Generator<readonly [name: string, node: ts.Node]> {
  const { name } = node;
  if (name === undefined) return;
  if (ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name))
    yield [name.text, node];
}
