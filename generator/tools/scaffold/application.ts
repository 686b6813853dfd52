import { posix } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import type { AskedOption } from '../../targets/open-questions.ts';
import { jsdoc } from '../../targets/jsdoc.ts';
import type { Render } from '../../targets/render.ts';
import { receiverQuestions } from '../../targets/webhooks/receiver-questions.ts';
import { planAuthentication } from './authentication.ts';
import { type InboxUse, planInbox } from './inbox.ts';
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
    ...(inbox === undefined ? {} : planInbox(inbox).files),
    [framework.registration]: posix.basename(framework.registration),
    [registration]: posix.basename(registration),
  };
  return [
    ...handlers.map((handler) => ({
      path: `${folder}/${handler.fileName}.ts`,
      text: renderHandler(application, handler, render, inbox && { store: inbox }),
    })),
    ...Object.entries(templates).map(([path, template]) => ({
      path,
      text: render(template, data),
    })),
  ];
}

/**
 * Renders the file of one handler, without formatting it.
 * @param inbox the inbox whose events it handles; `undefined` if it runs in the request
 */
export function renderHandler(
  { framework, scope, packageName, workerPackage }: Application,
  handler: HandlerPlan,
  render: Render,
  inbox: InboxUse | undefined,
): string {
  const isStored = inbox !== undefined;
  const template =
    framework.handlers === 'functions' || isStored ? 'handler.ts' : 'handler.provider.ts';
  const eventPackage = isStored ? `${scope}/webhooks` : packageName;
  const isPostgres = inbox?.store === 'postgres';
  const packages = { packageName, eventPackage, workerPackage };
  const comment = jsdoc(handler.documentation);
  return render(template, { ...handler, comment, ...packages, isStored, isPostgres });
}

/** The templates of the files that applications of all frameworks have, by path. */
const sharedFiles: Readonly<Record<string, string>> = {
  'package.json': 'package.json',
  'tsconfig.json': 'tsconfig.json',
  '.env.example': 'env.example',
  '.gitignore': 'gitignore',
  'README.md': 'README.md',
  'test/deliveries.test.ts': 'deliveries.test.ts',
};
