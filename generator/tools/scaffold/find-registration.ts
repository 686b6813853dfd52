import {
  Node,
  type ArrayLiteralExpression,
  type CallExpression,
  type ObjectLiteralExpression,
  type SourceFile,
} from 'ts-morph';
import type { ApplicationSources } from './application-sources.ts';
import {
  createBudget,
  importedAs,
  keyOf,
  memberOf,
  resolveObject,
  type StepBudget,
} from './resolve-value.ts';
import { ScaffoldError, type SourcePlace } from './scaffold-error.ts';

/** The place where an application registers its handlers. */
export interface Registration {
  /** The generated package that the application receives notifications with. */
  readonly module: string;
  readonly file: SourceFile;
  /** The literal that new handlers are added to. */
  readonly list: ObjectLiteralExpression | ArrayLiteralExpression;
  /** The places of the registered handlers, by handler name. */
  readonly handlers: ReadonlyMap<string, SourcePlace>;
  /** The files of the application that the handlers are imported from. */
  readonly imports: readonly SourceFile[];
  /** Whether `otherwise` has a `rest` handler, which handles all kinds without their own handler. */
  readonly takesRest: boolean;
}

/** The functions that create receivers, by package. Their options have the member `on`. */
export type Factories = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the only registration of an application, or `undefined` if it has none.
 * @throws ScaffoldError `several-registrations`, `unreadable-registration`
 */
export function findRegistration(
  sources: ApplicationSources,
  factories: Factories,
): Registration | undefined {
  const calls = sources.files
    .filter((file) => !isTest(sources.pathOf(file)))
    .flatMap((file) => file.getDescendants())
    .filter((node) => Node.isCallExpression(node))
    .flatMap((call) => {
      const imported = importedAs(call.getExpression());
      return imported !== undefined && factories.get(imported.module)?.includes(imported.name)
        ? [{ call, module: imported.module }]
        : [];
    });
  const [first, ...others] = calls;
  if (first === undefined) return undefined;
  if (others.length > 0) {
    const nodes = calls.map(({ call }) => call);
    throw createSeveralError(sources, nodes, 'creates a receiver; another place does too');
  }
  return readRegistration(sources, first.call, first.module);
}

function readRegistration(
  sources: ApplicationSources,
  call: CallExpression,
  module: string,
): Registration {
  const unreadable = (node: Node, message: string): ScaffoldError =>
    createUnreadableError(sources, node, message);
  const [argument] = call.getArguments();
  if (argument === undefined) throw unreadable(call, 'must be called with options');
  const options = resolveObject(argument);
  if ('lost' in options)
    throw unreadable(options.lost, `the options of the receiver cannot be read: it ${options.why}`);
  const member = memberOf(options.found, 'on');
  if (member === undefined) throw unreadable(options.found, 'the options must have `on`');
  const on = resolveObject(member);
  if ('lost' in on) throw unreadable(on.lost, `\`on\` cannot be read: it ${on.why}`);
  const handlers = new Map<string, SourcePlace>();
  const imports: SourceFile[] = [];
  for (const { property, owner } of propertiesOf(on.found, unreadable)) {
    const key = keyOf(property);
    if (key === undefined) throw unreadable(property, 'the name of this handler is computed');
    handlers.set(key, sources.placeOf(property));
    const file = owner === on.found ? handlerFile(property) : undefined;
    if (file !== undefined) imports.push(file);
  }
  return {
    module,
    file: on.found.getSourceFile(),
    list: on.found,
    handlers,
    imports,
    takesRest: takesRest(memberOf(options.found, 'otherwise')),
  };
}

/** Returns whether the options of `otherwise` have a handler for all kinds without their own. */
export function takesRest(otherwise: Node | undefined): boolean {
  const options = otherwise === undefined ? undefined : resolveObject(otherwise);
  return (
    options !== undefined && 'found' in options && memberOf(options.found, 'rest') !== undefined
  );
}

export function createSeveralError(
  sources: ApplicationSources,
  nodes: readonly Node[],
  message: string,
): ScaffoldError {
  const problems = nodes.map((node) => ({ message, place: sources.placeOf(node) }));
  return new ScaffoldError('several-registrations', ...problems);
}

export function createUnreadableError(
  sources: ApplicationSources,
  node: Node,
  message: string,
): ScaffoldError {
  return new ScaffoldError('unreadable-registration', { message, place: sources.placeOf(node) });
}

/** Yields the members of an object literal, including those of spread objects. */
function* propertiesOf(
  object: ObjectLiteralExpression,
  unreadable: (node: Node, message: string) => ScaffoldError,
  budget: StepBudget = createBudget(),
): Generator<{ readonly property: Node; readonly owner: ObjectLiteralExpression }> {
  for (const property of object.getProperties()) {
    if (!Node.isSpreadAssignment(property)) {
      yield { property, owner: object };
      continue;
    }
    const spread = resolveObject(property.getExpression(), budget);
    if ('lost' in spread)
      throw unreadable(spread.lost, `the spread in \`on\` cannot be read: it ${spread.why}`);
    yield* propertiesOf(spread.found, unreadable, budget);
  }
}

/** Returns the file that a handler is imported from, or `undefined` if it is not imported. */
function handlerFile(property: Node): SourceFile | undefined {
  const value = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
  const name = Node.isShorthandPropertyAssignment(property) ? property.getNameNode() : value;
  if (!Node.isIdentifier(name)) return undefined;
  const symbol = Node.isShorthandPropertyAssignment(property)
    ? property.getValueSymbol()
    : name.getSymbol();
  const file = symbol?.getAliasedSymbol()?.getDeclarations()[0]?.getSourceFile();
  return file === property.getSourceFile() ? undefined : file;
}

/**
 * Returns whether a path is that of a test. Tests create their own receivers, which are not the application's
 * registration.
 */
export function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\.[cm]?tsx?$/u.test(path);
}
