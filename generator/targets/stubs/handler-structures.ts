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
  readonly name: 'DeliveryContext' | 'EventContext';
  readonly package: string;
  /** The member of the context that identifies the delivery or the event. */
  readonly id: 'id' | 'eventId';
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
    id: 'id',
  };
}

/** The code of a handler: what it is called with, and its body. */
interface HandlerCode {
  readonly documentation: Documentation;
  readonly parameters: readonly OptionalKind<ParameterDeclarationStructure>[];
  /** Types of the package of events that the parameters need. */
  readonly types: readonly string[];
  /** A statement of a function, and one of a method of a provider with a logger. */
  readonly log: { readonly console: Code; readonly logger: Code };
  readonly before: readonly Code[];
  /** The decorator of the method. */
  readonly mark: string;
}

/** Returns the file with one handler as a function. */
export function functionFile(handler: HandlerPlan, context: HandlerContext): FileStructure {
  return functionsFile([[handler.exportName, handlerCode(handler, context)]], context);
}

/** Returns the file with `otherwise` and `onInvalid` as functions. */
export function unhandledFunctionsFile(context: HandlerContext): FileStructure {
  return functionsFile(unhandledFunctions(context), context);
}

/** Returns the file with the handlers, `otherwise` and `onInvalid` as functions. */
export function allFunctionsFile(
  handlers: readonly HandlerPlan[],
  context: HandlerContext,
): FileStructure {
  const codes = handlers.map(
    (handler) => [handler.exportName, handlerCode(handler, context)] as const,
  );
  return functionsFile([...codes, ...unhandledFunctions(context)], context);
}

/** Returns the file with one provider, whose only method is the handler. */
export function providerFile(handler: HandlerPlan, context: HandlerContext): FileStructure {
  const { exportName, documentation } = handler;
  const method = { ...handlerCode(handler, context), documentation: {} };
  return classFile(exportName, documentation, [['handle', method]], context);
}

/** Returns the file with the provider `Unhandled`, which has the methods for invalid deliveries. */
export function unhandledProviderFile(context: HandlerContext): FileStructure {
  const documentation = { summary: 'Handles authentic deliveries without a valid event.' };
  const methods = [
    ['otherwise', otherwiseCode(context)],
    ['invalid', invalidCode(context)],
  ] as const;
  return classFile('Unhandled', documentation, methods, context);
}

/** Returns the file with one provider, which has a method for each handler. */
export function allMethodsFile(
  handlers: readonly HandlerPlan[],
  context: HandlerContext,
): FileStructure {
  const documentation = { summary: 'Handles every notification of the contract.' };
  const methods = handlers.map(
    (handler) => [`handle${handler.mark.slice(2)}`, handlerCode(handler, context)] as const,
  );
  // The marks are unique, and none of them is `OnOtherwise` or `OnInvalid`.
  const unhandled = [
    ['handleOtherwise', otherwiseCode(context)],
    ['handleInvalid', invalidCode(context)],
  ] as const;
  return classFile('WebhookHandlers', documentation, [...methods, ...unhandled], context);
}

type Named = readonly (readonly [name: string, code: HandlerCode])[];

function functionsFile(handlers: Named, context: HandlerContext): FileStructure {
  return {
    imports: typeImports(handlers, context),
    declarations: () =>
      handlers.map(
        ([name, { documentation, parameters, before, log }]) =>
          ({
            kind: StructureKind.Function,
            name: identifier(name).text,
            isExported: true,
            docs: docsOf(documentation),
            parameters: [...parameters],
            returnType: 'void',
            statements: [...before, log.console].map(({ text }) => text),
          }) satisfies FunctionDeclarationStructure,
      ),
  };
}

function classFile(
  name: string,
  documentation: Documentation,
  methods: Named,
  context: HandlerContext,
): FileStructure {
  const className = identifier(name).text;
  return {
    imports: [
      importOf('@nestjs/common', ['Injectable', 'Logger']),
      importOf(context.eventPackage, [
        ...methods.map(([, { mark }]) => identifier(mark).text),
        ...typesOf(methods, context).map((type) => `type ${type}`),
      ]),
    ],
    declarations: () => [
      {
        kind: StructureKind.Class,
        name: className,
        isExported: true,
        docs: docsOf(documentation),
        decorators: [{ name: 'Injectable', arguments: [] }],
        properties: [
          { name: '#logger', isReadonly: true, initializer: `new Logger(${className}.name)` },
        ],
        methods: methods.map(
          ([method, handler]) =>
            ({
              name: identifier(method).text,
              docs: docsOf(handler.documentation),
              decorators: [{ name: identifier(handler.mark).text, arguments: [] }],
              parameters: [...handler.parameters],
              returnType: 'void',
              statements: [...handler.before, handler.log.logger].map(({ text }) => text),
            }) satisfies OptionalKind<MethodDeclarationStructure>,
        ),
      } satisfies ClassDeclarationStructure,
    ],
  };
}

function handlerCode(
  { eventType, mark, documentation }: HandlerPlan,
  context: HandlerContext,
): HandlerCode {
  const id = identifier(context.id);
  return {
    documentation,
    parameters: [{ name: 'event', type: identifier(eventType).text }, contextParameter(context)],
    types: [eventType],
    before: [],
    log: {
      console: code`console.log('handled', event.kind, context.${id});`,
      logger: code`this.#logger.log(\`handled \${event.kind} \${context.${id}}\`);`,
    },
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
  const id = identifier(context.id);
  return {
    documentation: { summary: 'Handles authentic deliveries that match no kind of the contract.' },
    parameters: [{ name: '_event', type: 'UnidentifiedEvent' }, contextParameter(context)],
    types: ['UnidentifiedEvent'],
    before: [],
    log: {
      console: code`console.log('matches no kind of the contract', context.${id});`,
      logger: code`this.#logger.warn(\`matches no kind of the contract \${context.${id}}\`);`,
    },
    mark: 'OnOtherwise',
  };
}

function invalidCode(context: HandlerContext): HandlerCode {
  const id = identifier(context.id);
  return {
    documentation: {
      summary:
        context.name === 'EventContext'
          ? 'Handles authentic deliveries that violate the contract. Each is a dead letter: the inbox keeps it for a person to check.'
          : 'Handles authentic deliveries that violate the contract. They are refused: keep them for a person to check.',
    },
    parameters: [
      { name: '{ kinds, violations }', type: 'InvalidDelivery<Kind>' },
      contextParameter(context),
    ],
    types: ['InvalidDelivery', 'Kind'],
    before: [
      code`const broken = violations.map(({ pointer, message }) => \`\${pointer} \${message}\`.trim());`,
    ],
    log: {
      console: code`console.error('violates the contract', context.${id}, kinds, broken);`,
      logger: code`this.#logger.error(\`violates the contract \${context.${id}} \${kinds.join(', ')}: \${broken.join(', ')}\`);`,
    },
    mark: 'OnInvalid',
  };
}

function contextParameter({
  name,
  scope,
}: HandlerContext): OptionalKind<ParameterDeclarationStructure> {
  return { name: 'context', type: scope === undefined ? name : `${name} & ${scope.type.text}` };
}

/** Returns the types of the package of events that the handlers need, without the context of another package. */
function typesOf(handlers: Named, context: HandlerContext): readonly string[] {
  const types = new Set(handlers.flatMap(([, code]) => code.types));
  const contextTypes = context.package === context.eventPackage ? [context.name] : [];
  return [...[...types].map((type) => identifier(type).text), ...contextTypes];
}

function typeImports(
  handlers: Named,
  context: HandlerContext,
): readonly ImportDeclarationStructure[] {
  const { scope, eventPackage, name } = context;
  const contextImport = { package: context.package, names: [name] };
  const all: readonly TypeImport[] = [
    { package: eventPackage, names: typesOf(handlers, context) },
    ...(context.package === eventPackage ? [] : [contextImport]),
    ...(scope?.imports ?? []),
  ];
  return all
    .toSorted((a, b) => (a.package < b.package ? -1 : 1))
    .map((typeImport) => ({ ...importOf(typeImport.package, typeImport.names), isTypeOnly: true }));
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
