import {
  type ClassDeclarationStructure,
  type FunctionDeclarationStructure,
  type StatementStructures,
  StructureKind,
} from 'ts-morph';
import { code } from '../code.ts';
import { identifier, object } from '../escape.ts';
import { docsOf, importOf } from './handler-structures.ts';
import type { HandlerPlan } from './plan-handlers.ts';

/** How the users of a framework write its receiver. */
export interface ReceiverForm {
  /** The base name of its file. */
  readonly fileName: string;
  /** What the function creates, in prose. */
  readonly title: string;
  /** The exported function. */
  readonly name: string;
  /** The function of the package that takes the options. */
  readonly factory: string;
  /** Its result; default: what the function of the package returns. */
  readonly returns?: { readonly type: string; readonly package: string };
  /** Whether the options are created with the first delivery, or from the bindings of a Worker. */
  readonly options?: 'deferred' | 'environment';
  /** Options besides those of every receiver. */
  readonly more?: string;
}

/** The code of a receiver whose options are given at once, with the first delivery, or from bindings. */
const waysToGive = {
  'at once': {
    settings: code`...settings`,
    head: code``,
    foot: code``,
    type: 'ReceiverSettings',
    parameters: [],
    argument: '',
  },
  deferred: {
    settings: code`...settings()`,
    head: code`() => (`,
    foot: code`)`,
    type: '() => ReceiverSettings',
    parameters: [],
    argument: '',
  },
  environment: {
    settings: code`...settings(env)`,
    head: code`(env: Env) => (`,
    foot: code`)`,
    type: '(env: Env) => ReceiverSettings',
    parameters: [{ name: 'Env', constraint: 'object' }],
    argument: '<Env>',
  },
} as const;

/**
 * Returns the beginning of a file, whose function creates the receiver with all handlers.
 * @param handlerNames what the handlers below need of the package
 */
export function receiverFile(
  handlers: readonly HandlerPlan[],
  form: ReceiverForm,
  packageName: string,
  handlerNames: readonly string[],
): readonly StatementStructures[] {
  const factory = identifier(form.factory).text;
  const base = "Omit<HandlingOptions, 'on' | 'otherwise' | 'onInvalid'>";
  const { settings, head, foot, type, parameters, argument } =
    waysToGive[form.options ?? 'at once'];
  const on = object(handlers.map(({ name, exportName }) => [name, identifier(exportName)]));
  const options = code`${head}{ ${settings}, on: ${on}, otherwise, onInvalid }${foot}`;
  return [
    importOf(packageName, [factory, 'type HandlingOptions', ...handlerNames]),
    ...(form.returns === undefined
      ? []
      : [{ ...importOf(form.returns.package, [form.returns.type]), isTypeOnly: true }]),
    {
      kind: StructureKind.TypeAlias,
      // ts-morph writes no empty line between imports and a type.
      leadingTrivia: '\n',
      name: 'ReceiverSettings',
      isExported: true,
      docs: docsOf({
        summary:
          'The options without the handlers, such as `authenticate`, with secrets of the application.',
      }),
      type: form.more === undefined ? base : `${base} & ${form.more}`,
    },
    {
      kind: StructureKind.Function,
      name: form.name,
      isExported: true,
      docs: docsOf({ summary: `Creates ${form.title} with all handlers.` }),
      typeParameters: [...parameters],
      parameters: [{ name: 'settings', type }],
      returnType: form.returns?.type ?? `ReturnType<typeof ${factory}${argument}>`,
      statements: [code`return ${identifier(factory)}(${options});`.text],
    } satisfies FunctionDeclarationStructure,
  ];
}

/**
 * Returns the beginning of a file, with the module of NestJS that has the provider of all handlers.
 * @param handlerNames what the provider below needs of the package
 */
export function moduleFile(
  packageName: string,
  handlerNames: readonly string[],
): readonly StatementStructures[] {
  return [
    importOf('@nestjs/common', ['Injectable', 'Module', 'type DynamicModule']),
    importOf(packageName, ['WebhooksModule', 'type WebhooksModuleOptions', ...handlerNames]),
    {
      kind: StructureKind.Class,
      name: 'ReceiverModule',
      isExported: true,
      docs: docsOf({ summary: 'Receives all notifications of the contract.' }),
      decorators: [{ name: 'Module', arguments: ['{}'] }],
      methods: [
        {
          name: 'forRoot',
          isStatic: true,
          docs: docsOf({
            summary:
              'Creates the module. The options have `authenticate`, with secrets of the application.',
          }),
          parameters: [{ name: 'options', type: 'WebhooksModuleOptions' }],
          returnType: 'DynamicModule',
          statements: [
            'return { module: ReceiverModule, imports: [WebhooksModule.forRoot(options)], providers: [WebhookHandlers] };',
          ],
        },
      ],
    } satisfies ClassDeclarationStructure,
  ];
}
