import { basename, posix } from 'node:path';
import { runtimePackage } from 'countersign/companion/application';
import { packageManagers } from 'countersign/companion/frameworks';
import { shellWord } from 'countersign/companion/options';
import { runtimeNames } from 'countersign/companion/printing';
import { oneLine } from 'countersign/companion/target';
import {
  type Code,
  code,
  identifier,
  jsdoc,
  literal,
  packageVersion,
  plain,
} from 'countersign/kit';
import { answerMembers } from './proofs/plan.ts';
import { consumerPackageOf, isInbox, planStorage, workerPackageOf } from './storage.ts';
import { sortRanges } from './sort-ranges.ts';
import { toPackageName } from './package-name.ts';
import type { Application } from './application-settings.ts';

type Ranges = Readonly<Record<string, string>>;

/** Returns whether a test of the application sends deliveries with the simulator. */
export function isSimulated({ framework, hasSimulator }: Application): boolean {
  return hasSimulator && framework.servesTests === true;
}

/** Returns the path of the file that registers the handlers. */
export function registrationOf({ framework, storage }: Application): string {
  return storage === undefined ? framework.registration : planStorage(storage).registration;
}

/** Returns the data for the templates of an application's files. */
export function toTemplateData(application: Application): object {
  const { contract, framework, folder, packageName } = application;
  const { handlers, strategy, questions, answers } = application;
  const { manager: managerName = 'npm', configuration } = application;
  const storage =
    application.storage === undefined ? undefined : planStorage(application.storage, managerName);
  const registration = registrationOf(application);
  const scripts = { ...framework.scripts, ...storage?.scripts };
  const title = oneLine(contract.info.title);
  const manager = packageManagers[managerName];
  const isProcess = framework.secrets === 'process';
  const read = (variable: string): Code =>
    isProcess ? code`required(${literal(variable)})` : code`env.${identifier(variable)}`;
  return {
    name: toPackageName(toWord(folder), 'receiver'),
    runtime: runtimeNames({ scope: application.scope, packageNames: {} }),
    title,
    description: `Receives the notifications of ${title}.`,
    framework: framework.title,
    folder,
    packageName,
    testing: `${packageName}/testing`,
    simulatorPackage: `${application.scope}/simulator`,
    simulated: strategy.simulated,
    eventPackage: `${application.scope}/webhooks`,
    workerPackage: workerPackageOf(application.scope),
    consumerPackage: consumerPackageOf(application.scope),
    registration,

    isStored: storage !== undefined,
    hasInbox: isInbox(application.storage),
    isSqlite: application.storage === 'sqlite',
    isRabbit: application.storage === 'rabbitmq',
    storageTest: storage?.test,
    settings: storage?.settings ?? [],

    factory: framework.factory,
    handlers: handlers.map((handler) => ({
      ...handler,
      path: `./handlers/${handler.fileName}.ts`,
    })),
    readsProcess: isProcess,
    strategy: strategy.strategy,
    authenticate: strategy.create(read),
    aboutAuthentication: toCommentLines(strategy.about),
    options: Object.entries({ ...framework.options, ...storage?.options }).map(
      ([name, value]) => code`${identifier(name)}: ${literal(value)}`,
    ),
    answers: answerMembers(questions, answers).map(
      ([name, answer]) => code`${identifier(name)}: ${answer}`,
    ),

    authentication: strategy.about,
    variables: strategy.variables.map((variable) => ({
      ...variable,
      comment: jsdoc({ summary: variable.about }),
    })),
    listens: Object.hasOwn(framework.files, 'src/main.ts'),
    ...toDeliveries(application),

    simulates: framework.url !== undefined,
    install: manager.install,
    execute: manager.execute,
    run: {
      buildConsumer: manager.run('build:consumer'),
      ...Object.fromEntries(
        ['consumer', 'dev', 'migrate', 'missing', 'simulate', 'start', 'worker'].map((script) => [
          script,
          manager.run(script),
        ]),
      ),
    },
    commands: [
      ...(storage?.preparations ?? []),
      ...['dev', 'start', 'test']
        .filter((script) => Object.hasOwn(scripts, script))
        .filter((script, _, all) => script !== 'start' || !all.includes('dev'))
        .map((script) => manager.run(script)),
    ],
    files: Object.entries({
      ...toAbout(framework.registration, registration),
      ...storage?.about,
      ...framework.about,
    }).map(([path, about]) => ({ path, about })),

    scripts: {
      ...scripts,
      missing: toScript(application, ['scaffold', '--missing', '.', '--config', configuration]),
      ...simulateScript(application),
    },
    dependencies: sortRanges({
      ...framework.dependencies,
      ...storage?.dependencies,
      ...(storage === undefined
        ? {}
        : { ...rangeOf(application, 'webhooks'), ...rangeOf(application, runtimePackage) }),
      ...rangeOf(application, framework.target),
    }),
    devDependencies: sortRanges({
      ...framework.devDependencies,
      ...storage?.devDependencies,
      ...(isSimulated(application) ? rangeOf(application, 'simulator') : {}),
    }),
    ignored: [...new Set([...(framework.ignored ?? []), ...(storage?.ignored ?? [])])],
    compiles: framework.handlers === 'providers',
    isBundled: framework.isBundled === true,
    isTested: application.packages !== undefined,
  };
}

/**
 * Returns the requirement of a generated package, by its name. A registry is never asked for a package of the workspace:
 * the scope can belong to somebody else there, and the next version of the contract can be outside of a range.
 */
function rangeOf(application: Application, target: string): Record<string, string> {
  const { packages, hasWorkspaceProtocol } = application;
  const published = `^${packageVersion(application, target)}`;
  const local = packages === undefined ? published : `file:${packages}/${target}`;
  return {
    [`${application.scope}/${target}`]: hasWorkspaceProtocol === true ? 'workspace:*' : local,
  };
}

/** Returns the template data for the delivery test and for the README's `countersign send` command. */
function toDeliveries(application: Application): object {
  const { contract, framework, strategy } = application;
  const first = contract.notifications.find(({ examples }) => examples.length > 0);
  const [method = 'POST'] = contract.notifications.flatMap(
    (notification) => notification.method ?? [],
  );
  return {
    hasExamples: first !== undefined,
    method,
    signer: strategy.signer,
    proof: strategy.proof,
    publicUrl: strategy.publicUrl,
    delivery:
      first === undefined || framework.url === undefined
        ? ''
        : toCommand(application, [
            'send',
            first.name,
            '--to',
            framework.url,
            ...strategy.sendOptions,
          ]),
  };
}

/**
 * Returns the script that starts the simulated service beside the running application.
 *
 * The option is not called `--env-file`: Node reads that one itself, wherever it is, and fails without the file.
 */
function simulateScript(application: Application): Ranges {
  const { framework, configuration, strategy } = application;
  if (framework.url === undefined) return {};
  const words = ['simulate', '--config', configuration, '--dotenv', '.env', '--to'];
  const all = [...words, framework.url, ...strategy.sendOptions];
  return { simulate: toScript(application, all) };
}

/** Returns a script of the application's package that runs a command of the toolkit. */
function toScript(application: Application, words: readonly string[]): string {
  // Other managers find the commands of the workspace's root in every package of it.
  const isOfYarn = application.manager === 'yarn' && application.hasWorkspaceProtocol === true;
  const command = isOfYarn ? `${packageManagers.yarn.execute} countersign` : 'countersign';
  const all = [...words, ...selectionOf(application)];
  return [command, ...all.map(shellWord)].join(' ');
}

function toCommand(application: Application, words: readonly string[]): string {
  const { execute } = packageManagers[application.manager ?? 'npm'];
  const all = ['countersign', ...words, ...selectionOf(application)];
  return [execute, ...all.map(shellWord)].join(' ');
}

/** Returns the option that selects the contract, if the configuration has several. */
function selectionOf({ selection }: Application): readonly string[] {
  return selection === undefined ? [] : ['--scope', selection];
}

/** Returns the descriptions of the files that applications of all frameworks have, by path. */
function toAbout(receiver: string, registration: string): Readonly<Record<string, string>> {
  return {
    ...(receiver === registration
      ? { [receiver]: 'the receiver: authentication, and the handler of each kind' }
      : { [receiver]: 'the receiver: authentication, before deliveries are stored' }),
    [`${posix.dirname(registration)}/handlers/`]:
      'a file for each kind of notification, and for each group whose deliveries can be the same',
    [posix.join(posix.dirname(registration), 'unhandled.ts')]:
      'handles authentic deliveries that are no valid notification of the contract',
    'test/deliveries.test.ts': 'delivers every example of the contract',
  };
}

/** Returns a name that npm accepts, from the last part of a path. */
function toWord(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/gu, '-')
    .slice(0, 100)
    .replaceAll(/^-+|-+$/gu, '');
  return name === '' ? 'webhooks-receiver' : name;
}

/** Splits a text into lines for `//` comments. */
export function toCommentLines(text: string): readonly Code[] {
  const lines = plain(text).text.match(/\S.{0,90}(?=\s|$)/gu) ?? [];
  return lines.map((line) => plain(line));
}
