import { posix } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import type { AskedOption } from '../../targets/open-questions.ts';
import { code } from '../../targets/code.ts';
import type { Render } from '../../targets/render.ts';
import {
  deliveryContext,
  functionFile,
  type HandlerContext,
  providerFile,
  unhandledFunctionsFile,
  unhandledProviderFile,
} from '../../targets/stubs/handler-structures.ts';
import { printFile } from '../../targets/stubs/print-statements.ts';
import { receiverQuestions } from '../../targets/printing/receiver-questions.ts';
import { planAuthentication } from './authentication.ts';
import { inboxPackage, type InboxUse, planInbox } from './inbox.ts';
import type { NewFile } from './write-application.ts';
import { type HandlerPlan, planHandlers } from '../../targets/stubs/plan-handlers.ts';
import { isSimulated, registrationOf, toTemplateData } from './template-data.ts';
import type { Application, ApplicationOptions } from './application-settings.ts';

/** Plans the handlers, the authentication and the options of an application. */
export function planApplication(contract: Contract, options: ApplicationOptions): Application {
  const { framework, scope, answers, authentication } = options;
  return {
    ...options,
    contract,
    packageName: `${scope}/${framework.target}`,
    workerPackage: `${scope}/webhooks/worker`,
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
  const { framework, handlers, inbox } = application;
  const registration = registrationOf(application);
  const data = toTemplateData(application);
  const folder = posix.join(posix.dirname(registration), 'handlers');
  const templates = {
    ...sharedFiles,
    ...(isSimulated(application) ? { 'test/simulator.test.ts': 'simulator.test.ts' } : {}),
    ...framework.files,
    ...(inbox === undefined ? { 'test/unwritten.ts': 'unwritten.ts' } : planInbox(inbox).files),
    [framework.registration]: posix.basename(framework.registration),
    [registration]: posix.basename(registration),
  };
  return [
    ...handlers.map((handler) => ({
      path: `${folder}/${handler.fileName}.ts`,
      text: printHandler(application, handler, inbox && { store: inbox }),
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

/**
 * Prints the file of one handler, without formatting it.
 * @param inbox the inbox whose events it handles; `undefined` if it runs in the request
 */
export function printHandler(
  application: Application,
  handler: HandlerPlan,
  inbox: InboxUse | undefined,
): string {
  const context = contextOf(application, inbox);
  return printFile(
    application.framework.handlers === 'functions' || inbox !== undefined
      ? functionFile(handler, context)
      : providerFile(handler, context),
  );
}

/** Prints the file with the handlers of invalid deliveries, without formatting it. */
function printUnhandled(application: Application): string {
  const { framework, inbox } = application;
  const context = contextOf(application, inbox && {});
  return printFile(
    framework.handlers === 'functions'
      ? unhandledFunctionsFile(context)
      : unhandledProviderFile(context),
  );
}

function contextOf(
  { scope, packageName, workerPackage }: Application,
  inbox: InboxUse | undefined,
): HandlerContext {
  if (inbox === undefined) return deliveryContext(packageName);
  return {
    eventPackage: `${scope}/webhooks`,
    name: 'EventContext',
    package: workerPackage,
    id: 'eventId',
    ...(inbox.store === 'postgres' ? { scope: postgresScope } : {}),
  };
}

/** What the inbox in Postgres adds to the context of a handler. */
const postgresScope = {
  type: code`PostgresScope<PoolClient>`,
  imports: [
    { package: `${inboxPackage}/postgres`, names: ['PostgresScope'] },
    { package: 'pg', names: ['PoolClient'] },
  ],
} as const;

/** The templates of the files that applications of all frameworks have, by path. */
const sharedFiles: Readonly<Record<string, string>> = {
  'package.json': 'package.json',
  'tsconfig.json': 'tsconfig.json',
  '.env.example': 'env.example',
  '.gitignore': 'gitignore',
  'README.md': 'README.md',
  'test/deliveries.test.ts': 'deliveries.test.ts',
};
