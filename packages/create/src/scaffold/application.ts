import { posix } from 'node:path';
import type { NewFile } from 'countersign/companion/application';
import { type AskedOption, receiverQuestions, type Render } from 'countersign/companion/printing';
import {
  deliveryContext,
  functionFile,
  type HandlerContext,
  type HandlerPlan,
  planHandlers,
  printFile,
  providerFile,
  unhandledFunctionsFile,
  unhandledProviderFile,
} from 'countersign/companion/stubs';
import { code, type Contract } from 'countersign/kit';
import { planAuthentication } from './authentication.ts';
import type { ScaffoldFramework } from './frameworks.ts';
import {
  consumerPackageOf,
  isInbox,
  planStorage,
  type StorageName,
  workerPackageOf,
} from './storage.ts';
import { isSimulated, registrationOf, toTemplateData } from './template-data.ts';
import type { Application, ApplicationOptions } from './application-settings.ts';

/** Plans the handlers, the authentication and the options of an application. */
export function planApplication(contract: Contract, options: ApplicationOptions): Application {
  const { framework, scope, answers, authentication } = options;
  return {
    ...options,
    contract,
    packageName: `${scope}/${framework.target}`,
    handlers: planHandlers(contract, framework.handlers),
    strategy: planAuthentication(contract, authentication, answers),
    questions: receiverQuestions(contract).options,
  };
}

/** Returns the required options without an answer. The ledger has no assumption for these. */
export function unansweredQuestions({
  questions,
  strategy,
  answers,
}: Application): readonly AskedOption[] {
  return [...questions, ...strategy.questions].filter(
    ({ optional, entry }) => !optional && !answers.has(entry.id),
  );
}

/**
 * Renders all files of a new application, without formatting them. The file that registers the handlers is the last
 * one.
 */
export function renderApplication(application: Application, render: Render): readonly NewFile[] {
  const { framework, handlers, storage } = application;
  const registration = registrationOf(application);
  const data = toTemplateData(application);
  const folder = posix.join(posix.dirname(registration), 'handlers');
  const templates = {
    ...sharedFiles,
    ...(application.packages === undefined ? {} : { 'test/handlers.test.ts': 'handlers.test.ts' }),
    ...(isSimulated(application) ? { 'test/simulator.test.ts': 'simulator.test.ts' } : {}),
    ...framework.files,
    ...(isInbox(storage) ? {} : { 'test/unwritten.ts': 'unwritten.ts' }),
    ...(storage === undefined ? {} : planStorage(storage).files),
    [framework.registration]: posix.basename(framework.registration),
    [registration]: posix.basename(registration),
  };
  return [
    ...handlers.map((handler) => ({
      path: `${folder}/${handler.fileName}.ts`,
      text: printHandlers([handler], framework.handlers, contextOf(application, storage)),
    })),
    {
      path: posix.join(posix.dirname(registration), 'unhandled.ts'),
      text: printUnhandled(application),
    },
    ...Object.entries(templates).map(([path, template]) => ({
      path,
      text: render(template, data),
    })),
  ];
}

/** Prints a file with handlers, without formatting it. */
export function printHandlers(
  handlers: readonly HandlerPlan[],
  as: ScaffoldFramework['handlers'],
  context: HandlerContext,
): string {
  const toFile = as === 'functions' ? functionFile : providerFile;
  return printFile(toFile(handlers, context));
}

/** Prints the file with the handlers of invalid deliveries, without formatting it. */
function printUnhandled(application: Application): string {
  const { framework, storage } = application;
  const context = contextOf(application, isInbox(storage) ? 'inbox' : storage);
  return printFile(
    framework.handlers === 'functions'
      ? unhandledFunctionsFile(context)
      : unhandledProviderFile(context),
  );
}

function contextOf(
  { scope, packageName }: Application,
  storage: StorageName | 'inbox' | undefined,
): HandlerContext {
  return storage === undefined ? deliveryContext(packageName) : storedContext(scope, storage);
}

/**
 * The context of the handlers of a worker or a consumer.
 * @param storage `inbox` if its store, which can add to the context, is not known
 */
export function storedContext(scope: string, storage: StorageName | 'inbox'): HandlerContext {
  const isWorker = storage === 'inbox' || isInbox(storage);
  return {
    eventPackage: `${scope}/webhooks`,
    name: isWorker ? 'EventContext' : 'StoredContext',
    package: isWorker ? workerPackageOf(scope) : consumerPackageOf(scope),
    ...(storage === 'postgres' ? { scope: postgresScopeOf(scope) } : {}),
  };
}

/** What the inbox in Postgres adds to the context of a handler. */
const postgresScopeOf = (scope: string) => ({
  type: code`PostgresScope<PoolClient>`,
  imports: [
    { package: `${scope}/runtime/inbox/postgres`, names: ['PostgresScope'] },
    { package: 'pg', names: ['PoolClient'] },
  ],
});

/** The templates of the files that applications of all frameworks have, by path. */
const sharedFiles: Readonly<Record<string, string>> = {
  'package.json': 'package.json',
  'tsconfig.json': 'tsconfig.json',
  '.env.example': 'env.example',
  '.gitignore': 'gitignore',
  'README.md': 'README.md',
  'test/deliveries.test.ts': 'deliveries.test.ts',
};
