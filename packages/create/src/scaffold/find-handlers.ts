import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import {
  type CallExpression,
  type ExportDeclaration,
  type ImportDeclaration,
  Node,
  Project,
  type SourceFile,
  type Symbol,
  ts,
  type Type,
} from 'ts-morph';
import { ScaffoldError, type SourcePlace, wholeFile } from './scaffold-error.ts';

/** The names in generated packages that an application registers handlers with. */
export interface GeneratedNames {
  /** The npm scope of the packages. */
  readonly scope: string;
  /** The absolute path of the folder that has them as folders (`layout: 'folder'`), which files import by relative paths. */
  readonly output?: string;
  /** The handler that each decorator of the NestJS package marks, by the decorator's name. */
  readonly decorators: ReadonlyMap<string, string>;
}

/** A place where an application registers handlers. */
interface Registration {
  /** The generated package that the registering function or decorator is imported from. */
  readonly module: string;
  readonly place: SourcePlace;
}

/** The handlers that an application registers, in all of its files together. */
export interface RegisteredHandlers {
  readonly names: ReadonlySet<string>;
  /** In the order of files and lines. Empty if the files register no handlers at all. */
  readonly registrations: readonly Registration[];
  /** The modules that the files import. */
  readonly imports: ReadonlySet<string>;
  /** The calls of functions of generated packages that authenticate deliveries. */
  readonly strategies: readonly StrategyCall[];
}

/** A call of a function that authenticates deliveries. */
interface StrategyCall {
  /** The name under which the generated package exports it. */
  readonly name: string;
  /** The generated package. */
  readonly module: string;
  readonly place: SourcePlace;
}

/**
 * Finds the handlers that TypeScript files register: the members of the `on` of every call of a generated package, and
 * the methods with a decorator of the NestJS package. Asks TypeScript for types, with the options of the folder's
 * `tsconfig.json`, so that handlers can be in any file, under any name.
 * @param folder the application's folder
 * @param paths its files, relative to the folder, with `/`
 * @throws ScaffoldError `syntax-error`, `unreadable-registration`
 */
export function findHandlers(
  folder: string,
  paths: readonly string[],
  generated: GeneratedNames,
): RegisteredHandlers {
  const files = readProject(folder, paths);
  const names = new Set<string>();
  const registrations: Registration[] = [];
  const strategies: StrategyCall[] = [];
  for (const file of files) {
    for (const node of file.getDescendants()) {
      const strategy = strategyOf(node, generated);
      if (strategy !== undefined)
        strategies.push({
          ...strategy,
          place: { path: pathOf(folder, file), ...positionOf(node) },
        });
      const found = registrationOf(node, generated);
      if (found === undefined) continue;
      const place = { path: pathOf(folder, file), ...positionOf(found.node) };
      if (found.handlers === undefined)
        throw new ScaffoldError('unreadable-registration', { message: unreadable, place });
      registrations.push({ module: found.module, place });
      for (const name of found.handlers) names.add(name);
    }
  }
  const imports = files.flatMap((file) =>
    file.getImportDeclarations().map((declaration) => moduleOf(declaration, generated) ?? ''),
  );
  return { names, registrations, imports: new Set(imports), strategies };
}

const unreadable =
  'TypeScript cannot list the handlers here: write them as an object literal, checked by `satisfies` instead of a declared type, and install the packages that it imports';

/**
 * Parses the files of an application.
 * @throws ScaffoldError `syntax-error`
 */
function readProject(folder: string, paths: readonly string[]): readonly SourceFile[] {
  const project = createProject(folder);
  const files = paths.map((path) => project.addSourceFileAtPath(join(folder, path)));
  const program = project.getProgram();
  const problems = files.flatMap((file) =>
    program.getSyntacticDiagnostics(file).map(({ compilerObject: { start, messageText } }) => ({
      place: { path: pathOf(folder, file), ...file.getLineAndColumnAtPos(start) },
      message: `has a syntax error: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    })),
  );
  if (problems.length > 0) throw new ScaffoldError('syntax-error', ...problems);
  return files;
}

function createProject(folder: string): Project {
  const name = 'tsconfig.json';
  const isConfigured = existsSync(join(folder, name));
  try {
    return new Project({
      ...(isConfigured ? { tsConfigFilePath: join(folder, name) } : {}),
      skipAddingFilesFromTsConfig: true,
      skipFileDependencyResolution: true,
      compilerOptions: {
        // Without these, the types below are less exact, or imports of files are not followed.
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        ...(isConfigured
          ? {}
          : {
              target: ts.ScriptTarget.ESNext,
              module: ts.ModuleKind.Preserve,
              moduleResolution: ts.ModuleResolutionKind.Bundler,
            }),
      },
    });
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new ScaffoldError('syntax-error', { message, place: wholeFile(name) });
  }
}

function pathOf(folder: string, file: SourceFile): string {
  return relative(folder, file.getFilePath()).replaceAll(sep, '/');
}

/** Returns where a node begins, without the comments before it. */
function positionOf(node: Node): { readonly line: number; readonly column: number } {
  return node.getSourceFile().getLineAndColumnAtPos(node.getStart());
}

/** Returns the function that a node calls to authenticate deliveries, also one of an earlier contract. */
function strategyOf(
  node: Node,
  generated: GeneratedNames,
): Omit<StrategyCall, 'place'> | undefined {
  if (!Node.isCallExpression(node)) return undefined;
  const imported = importedAs(node.getExpression(), generated);
  return imported !== undefined &&
    /^(?:sharedSecret|unauthenticated|verify\p{Lu}.*)$/u.test(imported.name)
    ? imported
    : undefined;
}

/** A node that registers handlers. */
interface RegisteringNode {
  readonly module: string;
  readonly node: Node;
  /** Omitted if TypeScript cannot list them. */
  readonly handlers: readonly string[] | undefined;
}

function registrationOf(node: Node, generated: GeneratedNames): RegisteringNode | undefined {
  const { scope, decorators } = generated;
  if (Node.isCallExpression(node)) return registrationOfCall(node, generated);
  const nestModule = `${scope}/webhooks-nestjs`;
  if (Node.isDecorator(node)) {
    const expression = node.getCallExpression()?.getExpression() ?? node.getExpression();
    const imported = importedAs(expression, generated);
    const handler = imported?.module === nestModule ? decorators.get(imported.name) : undefined;
    return handler === undefined ? undefined : { module: nestModule, node, handlers: [handler] };
  }
  const isOfModule =
    Node.isImportDeclaration(node) &&
    moduleOf(node, generated) === nestModule &&
    node.getNamedImports().some((specifier) => specifier.getName() === 'WebhooksModule');
  return isOfModule ? { module: nestModule, node, handlers: [] } : undefined;
}

/** Returns the registration of a call whose options have `on`. */
function registrationOfCall(
  call: CallExpression,
  generated: GeneratedNames,
): RegisteringNode | undefined {
  const imported = importedAs(call.getExpression(), generated);
  if (imported === undefined) return undefined;
  const { module } = imported;
  for (const argument of call.getArguments()) {
    const options = written(argument);
    // A literal with a spread of `any` has the type `any`, and yet its own `on`.
    const own = Node.isObjectLiteralExpression(options) ? options.getProperty('on') : undefined;
    const type = optionsType(options);
    const on = own?.getSymbol() ?? type.getProperty('on');
    if (on !== undefined) {
      const [declaration = argument] = on.getDeclarations();
      const node = written(declaration);
      const isWritten = node !== declaration || isValue(declaration);
      const onType = isWritten ? node.getType() : on.getTypeAtLocation(argument);
      const isHere = node.getSourceFile() === call.getSourceFile();
      return { module, node: isHere ? node : argument, handlers: handlersOf(onType, argument) };
    }
    if (type.isAny() && imported.name.startsWith('create'))
      return { module, node: argument, handlers: undefined };
  }
  return undefined;
}

/** Returns the type of options, or of what a function returns in place of them. */
function optionsType(options: Node): Type {
  const [signature] = options.getType().getCallSignatures();
  const result = signature?.getReturnType();
  if (result === undefined) return options.getType();
  const [awaited] = result.getSymbol()?.getName() === 'Promise' ? result.getTypeArguments() : [];
  return awaited ?? result;
}

/** Returns the members of `on`, or `undefined` if its type does not say which of them are there. */
function handlersOf(type: Type, node: Node): readonly string[] | undefined {
  const parts = type.isUnion() ? type.getUnionTypes() : [type];
  const isListed = parts.every(
    (part) => (part.isObject() || part.isIntersection()) && part.getStringIndexType() === undefined,
  );
  const members = parts.flatMap((part) => part.getProperties());
  if (!isListed || !members.every((member) => member.getDeclarations().some(isValue)))
    return undefined;
  return members
    .filter((member) => !member.getTypeAtLocation(node).isUndefined())
    .map((member) => member.getName());
}

/** Returns whether a declaration is code of a handler, and not a member of a type, which need not be there. */
function isValue(declaration: Node): boolean {
  return !Node.isPropertySignature(declaration) && !Node.isMethodSignature(declaration);
}

/** Returns the expression that a name or member stands for, which has its own type whatever type is declared for it. */
function written(node: Node, seen: ReadonlySet<Node> = new Set()): Node {
  const next = stepFrom(node);
  return next === undefined || seen.has(next) ? node : written(next, new Set([...seen, next]));
}

function stepFrom(node: Node): Node | undefined {
  if (
    Node.isParenthesizedExpression(node) ||
    Node.isAsExpression(node) ||
    Node.isSatisfiesExpression(node) ||
    Node.isTypeAssertion(node) ||
    Node.isNonNullExpression(node)
  )
    return node.getExpression();
  if (Node.isPropertyAssignment(node)) return node.getInitializer();
  const symbol = Node.isShorthandPropertyAssignment(node)
    ? node.getValueSymbol()
    : Node.isIdentifier(node)
      ? node.getSymbol()
      : undefined;
  const declaration = (symbol?.getAliasedSymbol() ?? symbol)?.getValueDeclaration();
  return Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
}

/** A name that is imported from a generated package of receivers. */
interface ImportedName {
  readonly module: string;
  /** The exported name; `*` for a namespace. */
  readonly name: string;
}

/** Returns what an expression imports from a generated package of receivers, also through files of the application. */
function importedAs(expression: Node, generated: GeneratedNames): ImportedName | undefined {
  if (Node.isPropertyAccessExpression(expression)) {
    const namespace = importedAs(expression.getExpression(), generated);
    return namespace?.name === '*'
      ? { module: namespace.module, name: expression.getName() }
      : undefined;
  }
  let symbol: Symbol | undefined = Node.isIdentifier(expression)
    ? expression.getSymbol()
    : undefined;
  while (symbol !== undefined) {
    for (const declaration of symbol.getDeclarations()) {
      const module = moduleOf(declaration, generated);
      if (module === undefined || !isReceiving(module, generated)) continue;
      if (Node.isNamespaceImport(declaration)) return { module, name: '*' };
      if (Node.isImportSpecifier(declaration) || Node.isExportSpecifier(declaration))
        return { module, name: declaration.getName() };
    }
    symbol = symbol.isAlias() ? symbol.getImmediatelyAliasedSymbol() : undefined;
  }
  return undefined;
}

/** Returns whether a module is a generated package of receivers, or an entry of one. */
function isReceiving(module: string, { scope }: GeneratedNames): boolean {
  const start = `${scope}/webhooks`;
  return module.startsWith(start) && /^(?:[-/]|$)/u.test(module.slice(start.length));
}

/**
 * Returns the module of an import or of an export of another module. One of generated code in a folder is named like the
 * package that it would be.
 */
function moduleOf(node: Node, { scope, output }: GeneratedNames): string | undefined {
  const isStatement = (it: Node): it is ImportDeclaration | ExportDeclaration =>
    Node.isImportDeclaration(it) || Node.isExportDeclaration(it);
  const statement = isStatement(node) ? node : node.getFirstAncestor(isStatement);
  const module = statement?.getModuleSpecifierValue();
  if (module === undefined || output === undefined || !module.startsWith('.')) return module;
  const file = resolve(dirname(node.getSourceFile().getFilePath()), module);
  const path = relative(output, file).replaceAll(sep, '/');
  return path.startsWith('../')
    ? module
    : `${scope}/${path.replace(/(?:\/index)?(?:\.[cm]?[jt]s)?$/u, '')}`;
}
