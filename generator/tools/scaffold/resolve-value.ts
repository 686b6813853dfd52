import {
  Node,
  type ArrowFunction,
  type FunctionDeclaration,
  type FunctionExpression,
  type MethodDeclaration,
  type ObjectLiteralExpression,
  type Symbol,
} from 'ts-morph';

/** The result of resolving an expression: the literal, or the node at which it cannot be resolved and the reason. */
export type Resolved<Literal extends Node> =
  | { readonly literal: Literal }
  | { readonly lost: Node; readonly why: string };

/** The remaining number of names, calls, members and spreads to follow. It limits circular references. */
export interface StepBudget {
  steps: number;
}

/** Creates a budget of 500 steps: more than an application needs, and few enough not to overflow the stack. */
export function createBudget(): StepBudget {
  return { steps: 500 };
}

/** Resolves an expression to an object literal, in any file of the application. */
export function resolveObject(
  expression: Node,
  budget?: StepBudget,
): Resolved<ObjectLiteralExpression> {
  return resolve(expression, Node.isObjectLiteralExpression, 'is not an object literal', budget);
}

/**
 * Resolves an expression to a literal of one kind.
 * @param otherwise the reason to report if the expression is something else
 */
export function resolve<Literal extends Node>(
  expression: Node,
  isLiteral: (node: Node) => node is Literal,
  otherwise: string,
  budget: StepBudget = createBudget(),
): Resolved<Literal> {
  const node = unwrap(expression);
  if (isLiteral(node)) return { literal: node };
  if (budget.steps === 0) return { lost: node, why: 'refers to itself' };
  budget.steps -= 1;
  const next = follow(node, budget);
  if (next instanceof Node) return resolve(next, isLiteral, otherwise, budget);
  return { lost: node, why: next ?? otherwise };
}

/** Returns the effective member of an object literal: the last one with the name, including spread objects. */
export function memberOf(
  object: ObjectLiteralExpression,
  name: string,
  budget: StepBudget = createBudget(),
): Node | undefined {
  for (const property of object.getProperties().toReversed()) {
    if (Node.isSpreadAssignment(property)) {
      const spread = resolveObject(property.getExpression(), budget);
      const member = 'literal' in spread ? memberOf(spread.literal, name, budget) : undefined;
      if (member !== undefined) return member;
    } else if (keyOf(property) === name) return property;
  }
  return undefined;
}

/** Returns the runtime name of a member; `undefined` if it is computed and not a string literal. */
export function keyOf(property: Node): string | undefined {
  if (!Node.hasName(property) && !Node.isPropertyNamed(property)) return undefined;
  const name = property.getNameNode();
  if (Node.isComputedPropertyName(name)) {
    const key = unwrap(name.getExpression());
    return Node.isStringLiteral(key) || Node.isNoSubstitutionTemplateLiteral(key)
      ? key.getLiteralValue()
      : undefined;
  }
  if (Node.isStringLiteral(name)) return name.getLiteralValue();
  return Node.isIdentifier(name) ? name.compilerNode.text : name.getText();
}

/**
 * Removes syntax around an expression that does not change its value: parentheses, type assertions, `await` and
 * `Object.freeze`.
 */
export function unwrap(node: Node): Node {
  if (
    Node.isParenthesizedExpression(node) ||
    Node.isAsExpression(node) ||
    Node.isSatisfiesExpression(node) ||
    Node.isTypeAssertion(node) ||
    Node.isNonNullExpression(node) ||
    Node.isAwaitExpression(node)
  )
    return unwrap(node.getExpression());
  const [frozen] =
    Node.isCallExpression(node) && isFreeze(node.getExpression()) ? node.getArguments() : [];
  return frozen === undefined ? node : unwrap(frozen);
}

/** An imported name and its module. */
export interface Imported {
  readonly module: string;
  /** The exported name; `*` for a namespace import. */
  readonly name: string;
}

/** Returns the import that an expression refers to, or `undefined` if it is not an imported name. */
export function importedAs(expression: Node): Imported | undefined {
  const node = unwrap(expression);
  if (Node.isPropertyAccessExpression(node)) {
    const namespace = importedAs(node.getExpression());
    return namespace?.name === '*' ? { module: namespace.module, name: node.getName() } : undefined;
  }
  if (!Node.isIdentifier(node)) return undefined;
  for (const declaration of node.getSymbol()?.getDeclarations() ?? []) {
    const module = declaration
      .getFirstAncestor((ancestor) => Node.isImportDeclaration(ancestor))
      ?.getModuleSpecifierValue();
    if (module === undefined) continue;
    if (Node.isNamespaceImport(declaration)) return { module, name: '*' };
    if (Node.isImportSpecifier(declaration)) return { module, name: declaration.getName() };
  }
  return undefined;
}

/** Follows a name, a member or a call by one step. Returns a text with the reason if that fails. */
function follow(node: Node, budget: StepBudget): Node | string | undefined {
  if (Node.isIdentifier(node)) return followSymbol(node.getSymbol(), node);
  if (Node.isShorthandPropertyAssignment(node)) return followSymbol(node.getValueSymbol(), node);
  if (Node.isPropertyAssignment(node)) return node.getInitializer();
  if (Node.isPropertyAccessExpression(node)) {
    const object = resolveObject(node.getExpression(), budget);
    return 'literal' in object ? memberOf(object.literal, node.getName(), budget) : object.why;
  }
  if (Node.isCallExpression(node)) return resultOf(node.getExpression(), budget);
  if (isFunction(node)) return resultOf(node, budget);
  return undefined;
}

function followSymbol(symbol: Symbol | undefined, node: Node): Node | string | undefined {
  const imported = importedAs(Node.isShorthandPropertyAssignment(node) ? node.getNameNode() : node);
  const target = symbol?.isAlias() === true ? symbol.getAliasedSymbol() : symbol;
  for (const declaration of target?.getDeclarations() ?? []) {
    if (Node.isVariableDeclaration(declaration)) {
      const value = declaration.getInitializer();
      if (value !== undefined) return value;
    }
    if (Node.isExportAssignment(declaration)) return declaration.getExpression();
    if (Node.isParameterDeclaration(declaration)) return 'is a parameter';
    if (Node.isFunctionDeclaration(declaration)) return declaration;
    if (Node.isSourceFile(declaration)) return 'is a module';
  }
  return imported === undefined
    ? undefined
    : `comes from ${JSON.stringify(imported.module)}, which is not a file of this folder`;
}

/** Returns the result expression of a function with a single `return`, or a text with the reason if there is none. */
function resultOf(expression: Node, budget: StepBudget): Node | string | undefined {
  const called = resolve(expression, isFunction, 'is not a function in this folder', budget);
  if ('lost' in called) return called.why;
  const body = called.literal.getBody();
  if (!Node.isBlock(body)) return body;
  const results = body
    .getDescendants()
    .filter((node) => Node.isReturnStatement(node))
    .filter((node) => node.getFirstAncestor(isFunction) === called.literal);
  const [only] = results;
  return results.length === 1 ? only?.getExpression() : 'has several return values';
}

function isFunction(
  node: Node,
): node is ArrowFunction | FunctionExpression | FunctionDeclaration | MethodDeclaration {
  return (
    Node.isArrowFunction(node) ||
    Node.isFunctionExpression(node) ||
    Node.isFunctionDeclaration(node) ||
    Node.isMethodDeclaration(node)
  );
}

function isFreeze(callee: Node): boolean {
  return callee.getText() === 'Object.freeze';
}
