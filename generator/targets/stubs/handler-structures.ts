import {
  type ClassDeclarationStructure,
  type FunctionDeclarationStructure,
  type ImportDeclarationStructure,
  type MethodDeclarationStructure,
  type OptionalKind,
  type ParameterDeclarationStructure,
  StructureKind,
} from 'ts-morph';
import { code, type Code } from '../code.ts';
import { identifier } from '../escape.ts';
import { type Documentation, jsdocLines } from '../jsdoc.ts';
import type { HandlerPlan } from './plan-handlers.ts';

/** What handlers get besides the event, and where its types come from. */
export interface HandlerContext {
  /** The package of the types of events. */
  readonly eventPackage: string;
  /** The class of the context, and the package that exports it. */
  readonly name: 'DeliveryContext' | 'EventContext' | 'StoredContext';
  readonly package: string;
  /** What the store of an inbox adds to the context: its type, and the imports of that type. */
  readonly scope?: { readonly type: Code; readonly imports: readonly TypeImport[] };
}

/** The structure of a file. Its declarations are the same for every package that the imports are from. */
export interface FileStructure {
  readonly imports: readonly ImportDeclarationStructure[];
  readonly declarations: () => readonly (
    | ClassDeclarationStructure
    | FunctionDeclarationStructure
  )[];
}

/** An import of types, by the name of their package. */
interface TypeImport {
  readonly package: string;
  readonly names: readonly string[];
}

/** The context of handlers that run in the request. */
export function deliveryContext(packageName: string): HandlerContext {
  return {
    eventPackage: packageName,
    name: 'DeliveryContext',
    package: packageName,
  };
}

/** The code of a handler: what it is called with, and how it fails until somebody has written it. */
interface HandlerCode {
  readonly documentation: Documentation;
  readonly parameters: readonly OptionalKind<ParameterDeclarationStructure>[];
  /** Types of the package of events that the parameters need. */
  readonly types: readonly string[];
  /** What the error says of the delivery: no data of it. */
  readonly subject: Code;
  /** The decorator of the method. */
  readonly mark: string;
}

/** The handlers that a file exports, with the names that its imports need. */
export interface HandlersStructure {
  /** Names of the package of events. */
  readonly names: readonly string[];
  readonly declarations: () => readonly (
    | ClassDeclarationStructure
    | FunctionDeclarationStructure
  )[];
}

/** Returns a file with handlers as functions. */
export function functionFile(
  handlers: readonly HandlerPlan[],
  context: HandlerContext,
): FileStructure {
  return functionsFile(codesOf(handlers, context), context);
}

/** Returns the file with `otherwise` and `onInvalid` as functions. */
export function unhandledFunctionsFile(context: HandlerContext): FileStructure {
  return functionsFile(unhandledFunctions(context), context);
}

/** Returns the handlers, `otherwise` and `onInvalid` as functions. */
export function allFunctions(
  handlers: readonly HandlerPlan[],
  context: HandlerContext,
): HandlersStructure {
  const functions = [...codesOf(handlers, context), ...unhandledFunctions(context)];
  return {
    names: namesOf(functions, context),
    declarations: () => functionDeclarations(functions),
  };
}

/** Returns a file with a provider for each handler, which is its only method. */
export function providerFile(
  handlers: readonly HandlerPlan[],
  context: HandlerContext,
): FileStructure {
  const providers = handlers.map((handler) => {
    const { exportName, documentation } = handler;
    const method = { ...handlerCode(handler, context), documentation: {} };
    return { name: exportName, documentation, methods: [['handle', method, exportName]] as const };
  });
  return classesFile(providers, context);
}

/** Returns the file with the provider `Unhandled`, which has the methods for invalid deliveries. */
export function unhandledProviderFile(context: HandlerContext): FileStructure {
  const documentation = { summary: 'Handles authentic deliveries without a valid event.' };
  const methods = [
    ['otherwise', otherwiseCode(context)],
    ['invalid', invalidCode(context)],
  ] as const;
  return classesFile([{ name: 'Unhandled', documentation, methods }], context);
}

/** Returns one provider, which has a method for each handler. */
export function allMethods(
  handlers: readonly HandlerPlan[],
  context: HandlerContext,
): HandlersStructure {
  const documentation = { summary: 'Handles every notification of the contract.' };
  const methods = handlers.map(
    (handler) => [`handle${handler.mark.slice(2)}`, handlerCode(handler, context)] as const,
  );
  // The marks are unique, and none of them is `OnOtherwise` or `OnInvalid`.
  const unhandled = [
    ['handleOtherwise', otherwiseCode(context)],
    ['handleInvalid', invalidCode(context)],
  ] as const;
  const all = [...methods, ...unhandled];
  return {
    names: [...marksOf(all), ...namesOf(all, context)],
    declarations: () => [
      classDeclaration({ name: 'WebhookHandlers', documentation, methods: all }),
    ],
  };
}

/** Handlers, each with its name. The error of a handler says another name if the class has the better one. */
type Named = readonly (readonly [name: string, code: HandlerCode, shownName?: string])[];

function codesOf(handlers: readonly HandlerPlan[], context: HandlerContext): Named {
  return handlers.map((handler) => [handler.exportName, handlerCode(handler, context)] as const);
}

function functionsFile(handlers: Named, context: HandlerContext): FileStructure {
  return {
    imports: eventImports(namesOf(handlers, context), context),
    declarations: () => functionDeclarations(handlers),
  };
}

/** A provider, and its methods. */
interface ProviderCode {
  readonly name: string;
  readonly documentation: Documentation;
  readonly methods: Named;
}

function classesFile(providers: readonly ProviderCode[], context: HandlerContext): FileStructure {
  const all = providers.flatMap(({ methods }) => methods);
  return {
    imports: [
      importOf('@nestjs/common', ['Injectable']),
      ...eventImports([...marksOf(all), ...namesOf(all, context)], context),
    ],
    declarations: () => providers.map((provider) => classDeclaration(provider)),
  };
}

function functionDeclarations(handlers: Named): readonly FunctionDeclarationStructure[] {
  return handlers.map(
    ([name, handler]) =>
      ({
        kind: StructureKind.Function,
        name: identifier(name).text,
        isExported: true,
        docs: docsOf(handler.documentation),
        parameters: [...handler.parameters],
        returnType: 'void',
        statements: [failure(name, handler)],
      }) satisfies FunctionDeclarationStructure,
  );
}

function classDeclaration({
  name,
  documentation,
  methods,
}: ProviderCode): ClassDeclarationStructure {
  return {
    kind: StructureKind.Class,
    name: identifier(name).text,
    isExported: true,
    docs: docsOf(documentation),
    decorators: [{ name: 'Injectable', arguments: [] }],
    methods: methods.map(
      ([method, handler, shownName = method]) =>
        ({
          name: identifier(method).text,
          docs: docsOf(handler.documentation),
          decorators: [{ name: identifier(handler.mark).text, arguments: [] }],
          parameters: [...handler.parameters],
          returnType: 'void',
          statements: [failure(shownName, handler)],
        }) satisfies OptionalKind<MethodDeclarationStructure>,
    ),
  };
}

/** Returns the statement of a handler that nobody has written: nothing is acknowledged that is not handled. */
function failure(name: string, { subject }: HandlerCode): string {
  const message = code`\`${identifier(name)} is not written yet: ${subject}\``;
  return code`throw new WebhookError('not-written', ${message});`.text;
}

function handlerCode(
  { eventType, mark, documentation }: HandlerPlan,
  context: HandlerContext,
): HandlerCode {
  return {
    documentation,
    parameters: [{ name: 'event', type: identifier(eventType).text }, contextParameter(context)],
    types: [eventType],
    subject: code`\${event.kind}, \${context.id}`,
    mark,
  };
}

function unhandledFunctions(context: HandlerContext): Named {
  return [
    ['otherwise', otherwiseCode(context)],
    ['onInvalid', invalidCode(context)],
  ];
}

function otherwiseCode(context: HandlerContext): HandlerCode {
  return {
    documentation: {
      summary: isStored(context)
        ? 'Handles authentic deliveries that match no kind of the contract. When it returns, the event is done, and nobody looks at it again.'
        : 'Handles authentic deliveries that match no kind of the contract. When it returns, the delivery is acknowledged, and its sender does not repeat it: keep what a person has to see.',
    },
    parameters: [{ name: 'event', type: 'UnidentifiedEvent' }, contextParameter(context)],
    types: ['UnidentifiedEvent'],
    subject: code`\${event.form}, \${context.id}`,
    mark: 'OnOtherwise',
  };
}

function invalidCode(context: HandlerContext): HandlerCode {
  return {
    documentation: {
      summary: isStored(context)
        ? 'Handles authentic deliveries that violate the contract. When it returns, the event is a dead letter: the inbox keeps the delivery for a person to check.'
        : 'Handles authentic deliveries that violate the contract. When it returns, the delivery is refused, and its sender may not repeat it: keep `text` for a person to check.',
    },
    parameters: [
      { name: '{ text, violations }', type: 'InvalidDelivery<Kind>' },
      contextParameter(context),
    ],
    types: ['InvalidDelivery', 'Kind'],
    subject: code`\${violations.length} violations, \${text.length} characters, \${context.id}`,
    mark: 'OnInvalid',
  };
}

/** Returns whether an inbox has stored the deliveries, so that they are acknowledged before they are handled. */
function isStored({ name }: HandlerContext): boolean {
  return name === 'EventContext';
}

function contextParameter({
  name,
  scope,
}: HandlerContext): OptionalKind<ParameterDeclarationStructure> {
  return { name: 'context', type: scope === undefined ? name : `${name} & ${scope.type.text}` };
}

/** Returns the decorators of methods. */
function marksOf(methods: Named): readonly string[] {
  return methods.map(([, { mark }]) => identifier(mark).text);
}

/** Returns what handlers need of the package of events, without the context of another package. */
function namesOf(handlers: Named, context: HandlerContext): readonly string[] {
  const types = new Set(handlers.flatMap(([, { types: needed }]) => needed));
  const contextTypes = context.package === context.eventPackage ? [context.name] : [];
  return [
    'WebhookError',
    ...[...types].map((type) => `type ${identifier(type).text}`),
    ...contextTypes.map((type) => `type ${type}`),
  ];
}

/** Returns the imports from the package of events, and those of the context. */
function eventImports(
  names: readonly string[],
  { scope, package: contextPackage, eventPackage, name }: HandlerContext,
): readonly ImportDeclarationStructure[] {
  const ofContext: readonly TypeImport[] = [
    ...(contextPackage === eventPackage ? [] : [{ package: contextPackage, names: [name] }]),
    ...(scope?.imports ?? []),
  ];
  return [
    importOf(eventPackage, names),
    ...ofContext.map((typeImport) => ({
      ...importOf(typeImport.package, typeImport.names),
      isTypeOnly: true,
    })),
  ].toSorted((a, b) => (a.moduleSpecifier < b.moduleSpecifier ? -1 : 1));
}

/** Returns an import of names from a package or a file. */
export function importOf(
  packageName: string,
  names: readonly string[],
): ImportDeclarationStructure {
  return {
    kind: StructureKind.ImportDeclaration,
    namedImports: [...names],
    // ts-morph puts it in quotes. It is a name of npm, which needs no escapes.
    moduleSpecifier: packageName,
  };
}

/** Returns the escaped comment of a part. A line break before it makes ts-morph write several lines. */
export function docsOf(documentation: Documentation): string[] {
  const lines = jsdocLines(documentation);
  if (lines.length === 0) return [];
  return [lines.length === 1 ? lines.join('') : ['', ...lines].join('\n')];
}
