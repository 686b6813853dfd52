import {
  Node,
  type ArrayLiteralExpression,
  type CallExpression,
  type ObjectLiteralExpression,
  type SourceFile,
} from 'ts-morph';
import { createErrorAt, pathOf, placeOf } from './application-sources.ts';
import { inboxPackage, inboxStores, type InboxUse } from './inbox.ts';
import {
  createBudget,
  importedAs,
  keyOf,
  memberOf,
  resolveObject,
  type StepBudget,
} from './resolve-value.ts';
import type { ScaffoldError, SourcePlace } from './scaffold-error.ts';

/** The place where an application registers its handlers. */
export interface Registration {
  /** The generated packages that the application receives notifications with; none if only its worker is here. */
  readonly modules: readonly string[];
  /** The inbox whose events the handlers handle; omitted if they run in the request. */
  readonly inbox?: InboxUse;
  readonly file: SourceFile;
  /** The literal that new handlers are added to. */
  readonly list: ObjectLiteralExpression | ArrayLiteralExpression;
  /** The places of the registered handlers, by handler name. */
  readonly handlers: ReadonlyMap<string, SourcePlace>;
  /** The files of the application that the handlers are imported from. */
  readonly imports: readonly SourceFile[];
  /** How the handlers that are imported from a file of the application are, by handler name. */
  readonly importedHandlers?: ReadonlyMap<string, ImportedHandler>;
  /** Whether `otherwise` has a `rest` handler, which handles all kinds without their own handler. */
  readonly takesRest: boolean;
}

/** A handler that is imported from a file of the application. */
interface ImportedHandler {
  /** The place of its name in the import. */
  readonly place: SourcePlace;
  readonly file: SourceFile;
}

/** Names of functions, by the package that exports them. */
type Names = ReadonlyMap<string, readonly string[]>;

/** The functions whose options have the member `on`. The options of a receiver have `inbox` in place of it. */
export interface Factories {
  readonly receivers: Names;
  readonly workers: Names;
}

/** The application of a receiver that stores in an inbox, if the worker is not in the same folder. */
export interface WithoutWorker {
  readonly receiver: CallExpression;
}

/**
 * Returns the only registration of an application, or `undefined` if it has none.
 * @throws ScaffoldError `several-registrations`, `unreadable-registration`
 */
export function findRegistration(
  sources: readonly SourceFile[],
  factories: Factories,
): Registration | WithoutWorker | undefined {
  const files = sources.filter((file) => !isTest(pathOf(file)));
  const receivers = findCalls(files, factories.receivers);
  const workers = findCalls(files, factories.workers);
  const isWorking = workers.length > 0;
  const handling = receivers.filter(
    ({ options }) => hasMember(options, 'on') || !(isWorking || hasMember(options, 'inbox')),
  );
  const calls = [...handling, ...workers];
  const [first, ...otherCalls] = calls;
  if (first === undefined) {
    const [receiver] = receivers;
    return receiver === undefined ? undefined : { receiver: receiver.call };
  }
  if (otherCalls.length > 0) {
    const nodes = calls.map(({ call }) => call);
    const what = isWorking ? 'registers handlers' : 'creates a receiver';
    throw createErrorAt('several-registrations', `${what}; another place does too`, ...nodes);
  }
  return {
    ...readRegistration(first.call),
    ...(isWorking ? { inbox: inboxOf(files) } : {}),
    modules: receivers.map(({ module }) => module),
  };
}

interface FoundCall {
  readonly call: CallExpression;
  readonly options: Node | undefined;
  readonly module: string;
}

function findCalls(files: readonly SourceFile[], names: Names): readonly FoundCall[] {
  return files
    .flatMap((file) => file.getDescendants())
    .filter((node) => Node.isCallExpression(node))
    .flatMap((call) => {
      const imported = importedAs(call.getExpression());
      return imported !== undefined && names.get(imported.module)?.includes(imported.name)
        ? [{ call, options: call.getArguments()[0], module: imported.module }]
        : [];
    });
}

/** Returns which store of an inbox the files import; none if they import none or several. */
function inboxOf(files: readonly SourceFile[]): InboxUse {
  const imports = new Set(
    files.flatMap((file) =>
      file.getImportDeclarations().map((declaration) => declaration.getModuleSpecifierValue()),
    ),
  );
  const [store, ...rest] = inboxStores.filter((name) => imports.has(`${inboxPackage}/${name}`));
  return store === undefined || rest.length > 0 ? {} : { store };
}

/** Returns whether options can be read and have the member. */
export function hasMember(options: Node | undefined, name: string): boolean {
  const resolved = options && resolveObject(options);
  return (
    resolved !== undefined &&
    'literal' in resolved &&
    memberOf(resolved.literal, name) !== undefined
  );
}

function readRegistration(call: CallExpression): Omit<Registration, 'inbox' | 'modules'> {
  const [argument] = call.getArguments();
  if (argument === undefined) throw unreadable(call, 'must be called with options');
  const options = resolveObject(argument);
  if ('lost' in options)
    throw unreadable(options.lost, `the options cannot be read: it ${options.why}`);
  const member = memberOf(options.literal, 'on');
  if (member === undefined) throw unreadable(options.literal, 'the options must have `on`');
  const on = resolveObject(member);
  if ('lost' in on) throw unreadable(on.lost, `\`on\` cannot be read: it ${on.why}`);
  const handlers = new Map<string, SourcePlace>();
  const importedHandlers = new Map<string, ImportedHandler>();
  for (const { property, owner } of propertiesOf(on.literal)) {
    const key = keyOf(property);
    if (key === undefined) throw unreadable(property, 'the name of this handler is computed');
    handlers.set(key, placeOf(property));
    const imported = owner === on.literal ? importOf(property) : undefined;
    if (imported !== undefined) importedHandlers.set(key, imported);
  }
  return {
    file: on.literal.getSourceFile(),
    list: on.literal,
    handlers,
    imports: Array.from(importedHandlers.values(), ({ file }) => file),
    importedHandlers,
    takesRest: hasMember(memberOf(options.literal, 'otherwise'), 'rest'),
  };
}

/** Creates the error for a registration that cannot be resolved statically at a node. */
export function unreadable(node: Node, message: string): ScaffoldError {
  return createErrorAt('unreadable-registration', message, node);
}

/** Yields the members of an object literal, including those of spread objects. */
function* propertiesOf(
  object: ObjectLiteralExpression,
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
    yield* propertiesOf(spread.literal, budget);
  }
}

/** Returns how a handler is imported, or `undefined` if it is not imported from a file of the application. */
function importOf(property: Node): ImportedHandler | undefined {
  const value = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
  const name = Node.isShorthandPropertyAssignment(property) ? property.getNameNode() : value;
  if (!Node.isIdentifier(name)) return undefined;
  const symbol = Node.isShorthandPropertyAssignment(property)
    ? property.getValueSymbol()
    : name.getSymbol();
  const file = symbol?.getAliasedSymbol()?.getDeclarations()[0]?.getSourceFile();
  const [declaration] = symbol?.getDeclarations() ?? [];
  return file === undefined || file === property.getSourceFile() || declaration === undefined
    ? undefined
    : { place: placeOf(declaration), file };
}

/**
 * Returns whether a path is that of a test. Tests create their own receivers, which are not the application's
 * registration.
 */
export function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\.[cm]?tsx?$/u.test(path);
}
