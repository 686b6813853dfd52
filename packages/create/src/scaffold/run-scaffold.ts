import { posix, resolve } from 'node:path';
import { type ConfiguredContract, readOneContract } from 'countersign/companion/application';
import type { Invocation, Pairs, ScopeOption } from 'countersign/companion/command';
import { type Result, scopeOf, showResults } from 'countersign/companion/configuration';
import type { AdapterEngine, InboxStoreName } from 'countersign/companion/frameworks';
import { createUnknownNameError, readAnswers } from 'countersign/companion/options';
import { CommandError, type ExitCode, exitCodes, printable } from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import { assertReceiving } from './assert-receivable.ts';
import { describeOtherStrategy, describeProblems, describeScaffold } from './describe-scaffold.ts';
import {
  forwardFrameworkChoices,
  frameworks,
  inboxFrameworkChoices,
  type ScaffoldFramework,
} from './frameworks.ts';
import type { MissingHandlers } from './missing-handlers.ts';
import { ScaffoldError } from './scaffold-error.ts';

/** The command line of `scaffold`. */
type ScaffoldInvocation = Invocation<
  ScaffoldOptions,
  readonly [framework: string | undefined, directory: string | undefined]
>;

interface ScaffoldOptions extends ScopeOption {
  readonly authenticate?: string;
  readonly inbox?: InboxStoreName;
  readonly forward?: AdapterEngine;
  readonly answer?: Pairs;
  readonly missing?: string;
}

/** Writes a new application, or prints the handlers that an existing one lacks, and reports the result. */
export async function runScaffold(invocation: ScaffoldInvocation): Promise<ExitCode> {
  const { values, options, flags, terminal } = invocation;
  const { missing, authenticate, inbox, forward, answer } = options;
  if (missing !== undefined) return await runMissing(invocation, missing);
  const [name, directory] = values;
  if (name === undefined || directory === undefined)
    throw new CommandError('usage', 'Give the framework and the folder of the new application.');
  const framework = frameworkOf(name);
  const { title, withoutInbox, withoutForward } = framework;
  if (inbox !== undefined)
    assertPossible(`${title} cannot have an inbox`, withoutInbox, inboxFrameworkChoices);
  if (forward !== undefined)
    assertPossible(`${title} cannot forward`, withoutForward, forwardFrameworkChoices);
  const configured = await readOneContract(invocation);
  if (configured.config.layout === 'folder')
    return await runReceiver(invocation, configured, framework, directory);
  // A command line or a contract that is wrong is reported without what plans and prints applications.
  const { scaffoldApplication } = await import('./scaffold-application.ts');
  const { application, created, isInstallable } = await scaffoldApplication(configured, {
    framework,
    directory,
    from: terminal.folder,
    authenticate,
    storage: inbox ?? forward,
    answers: readAnswers(answer, configured.contract),
  });
  const result: Result = {
    exitCode: exitCodes.ok,
    data: { folder: directory, framework: name, created: created.map(({ path }) => path) },
    describe: (paint) =>
      flags.quiet ? '' : describeScaffold(created, application, paint, isInstallable),
  };
  return await showResults([result], invocation, configured.loaded.file);
}

/** Writes the receiver of an application whose generated code is a folder of it. */
async function runReceiver(
  invocation: ScaffoldInvocation,
  configured: ConfiguredContract,
  framework: ScaffoldFramework,
  directory: string,
): Promise<ExitCode> {
  const { options, flags, terminal } = invocation;
  const { scaffoldReceiver } = await import('./scaffold-receiver.ts');
  const { file, strategy } = await scaffoldReceiver(configured, {
    framework,
    directory,
    from: terminal.folder,
    authenticate: options.authenticate,
    storage: options.inbox ?? options.forward,
    answers: readAnswers(options.answer, configured.contract),
  });
  const path = posix.join(directory.replaceAll('\\', '/'), file.path);
  const result: Result = {
    exitCode: exitCodes.ok,
    data: { folder: directory, framework: framework.name, created: [file.path] },
    describe: (paint) =>
      flags.quiet
        ? ''
        : `${paint('green', 'created')}  ${printable(path)}\n${printable(strategy.about)}\n${printable(path)} exports \`webhooks\`: mount it in your application. Print the stubs of its handlers with \`countersign scaffold --missing ${printable(directory)}\`.\n`,
  };
  return await showResults([result], invocation, configured.loaded.file);
}

/** Prints the stubs of the handlers that an application lacks. Exits with 1 if there are any. */
async function runMissing(invocation: ScaffoldInvocation, directory: string): Promise<ExitCode> {
  const { values, flags, terminal } = invocation;
  if (values.some((value) => value !== undefined))
    throw new CommandError(
      'usage',
      'The option --missing is used alone: it reads an existing application.',
    );
  const configured = await readOneContract(invocation);
  assertReceiving(configured);
  const folder = resolve(terminal.folder, directory);
  const found = await findMissing(folder, configured).catch((error: unknown) => {
    if (!(error instanceof ScaffoldError)) throw error;
    throw new CommandError(error.code, describeProblems(error, directory), { cause: error });
  });
  const { names, registered, stubs, otherStrategy } = found;
  // The user may have a reason, such as a proxy that verifies the signature: this is no problem of the run.
  if (otherStrategy !== undefined) terminal.error(describeOtherStrategy(otherStrategy, directory));
  const result: Result = {
    exitCode: names.length === 0 ? exitCodes.ok : exitCodes.problems,
    data: { folder: directory, missing: names, registered, stubs, otherStrategy },
    describe: () => {
      if (names.length > 0) return stubs;
      return flags.quiet ? '' : `${printable(directory)}: no handler is missing\n`;
    },
  };
  return await showResults([result], invocation, configured.loaded.file);
}

async function findMissing(
  folder: string,
  { config, contract, loaded }: ConfiguredContract,
): Promise<MissingHandlers> {
  const { findMissingHandlers } = await import('./missing-handlers.ts');
  const { listSources } = await import('./read-application.ts');
  const generated = {
    scope: scopeOf(config),
    ...(config.layout === 'folder' ? { output: resolve(loaded.folder, config.output) } : {}),
    ...optional('importExtension', config.importExtension),
  };
  return await findMissingHandlers(folder, await listSources(folder), generated, contract);
}

function frameworkOf(name: string): ScaffoldFramework {
  const framework = frameworks.find((candidate) => candidate.name === name);
  if (framework !== undefined) return framework;
  const names = frameworks.map((candidate) => candidate.name);
  throw createUnknownNameError('framework', name, names);
}

/** @throws CommandError `usage` if there is a reason why applications of a framework cannot store deliveries so */
function assertPossible(what: string, reason: string | undefined, choices: string): void {
  if (reason === undefined) return;
  throw new CommandError('usage', `An application for ${what}. ${reason} Use ${choices}.`);
}
