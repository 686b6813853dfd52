import type { ts } from 'ts-morph';
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
export async function declarationsOf(
  files: readonly OutputFile[],
): Promise<readonly Declaration[]> {
  const { ts: typescript } = await import('ts-morph');
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap((file) => {
    if (!/\.[cm]?[jt]s$/u.test(file.path)) return [];
    // A `.d.ts` file beside a JavaScript file declares the same names.
    if (paths.has(file.path.replace(/\.([cm]?)js$/u, '.d.$1ts')) && !file.path.endsWith('ts'))
      return [];
    return [...readExports(typescript, file)];
  });
}

type TypeScript = typeof ts;

function* readExports(typescript: TypeScript, file: OutputFile): Generator<Declaration> {
  const source = typescript.createSourceFile(
    file.path,
    file.text,
    typescript.ScriptTarget.Latest,
    true,
  );
  const lineOf = (node: ts.Node): number =>
    source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const declare = (
    node: ts.Node,
    name: string,
    kind: Declaration['kind'],
    owner?: string,
  ): Declaration => ({
    name,
    kind,
    file,
    line: lineOf(node),
    ...(owner === undefined ? {} : { owner }),
  });
  for (const statement of source.statements) {
    if (!isExported(typescript, statement)) continue;
    if (typescript.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (!typescript.isIdentifier(name)) continue;
        yield declare(statement, name.text, 'value');
        for (const member of membersOf(typescript, initializer))
          yield declare(member.node, member.name, 'member', name.text);
      }
      continue;
    }
    const kind = kindOf(typescript, statement);
    if (kind === undefined) continue;
    const name = statement.name?.text;
    if (name === undefined) continue;
    yield declare(statement, name, kind);
    const body = typescript.isTypeAliasDeclaration(statement) ? statement.type : statement;
    for (const member of membersOf(typescript, body))
      yield declare(member.node, member.name, 'member', name);
  }
}

type Named =
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration;

function isExported(
  typescript: TypeScript,
  statement: ts.Statement,
): statement is Named | ts.VariableStatement {
  const known = typescript.isVariableStatement(statement) || isNamed(typescript, statement);
  return (
    known &&
    (statement.modifiers ?? []).some(({ kind }) => kind === typescript.SyntaxKind.ExportKeyword)
  );
}

function isNamed(typescript: TypeScript, node: ts.Node): node is Named {
  return (
    typescript.isFunctionDeclaration(node) ||
    typescript.isClassDeclaration(node) ||
    typescript.isInterfaceDeclaration(node) ||
    typescript.isTypeAliasDeclaration(node)
  );
}

function kindOf(typescript: TypeScript, node: Named): Declaration['kind'] | undefined {
  if (typescript.isFunctionDeclaration(node)) return 'function';
  return typescript.isClassDeclaration(node) ? 'class' : 'type';
}

interface Member {
  readonly name: string;
  readonly node: ts.Node;
}

function* membersOf(typescript: TypeScript, node: ts.Node | undefined): Generator<Member> {
  if (node === undefined) return;
  if (typescript.isAsExpression(node) || typescript.isSatisfiesExpression(node)) {
    yield* membersOf(typescript, node.expression);
  } else if (typescript.isObjectLiteralExpression(node)) {
    for (const property of node.properties) yield* memberOf(typescript, property);
  } else if (typescript.isIntersectionTypeNode(node)) {
    for (const part of node.types) yield* membersOf(typescript, part);
  } else if (typescript.isInterfaceDeclaration(node) || typescript.isTypeLiteralNode(node)) {
    for (const member of node.members) {
      yield* memberOf(typescript, member);
      const type = typescript.isPropertySignature(member) ? member.type : undefined;
      if (type !== undefined && typescript.isTypeLiteralNode(type))
        yield* membersOf(typescript, type);
    }
  }
}

function* memberOf(
  typescript: TypeScript,
  node: ts.ObjectLiteralElementLike | ts.TypeElement,
): Generator<Member> {
  const { name } = node;
  if (name === undefined) return;
  if (
    typescript.isIdentifier(name) ||
    typescript.isStringLiteral(name) ||
    typescript.isNumericLiteral(name)
  )
    yield { name: name.text, node };
}
