import { join, resolve } from 'node:path';
import { runtimePackage } from '../targets/package/runtime-package.ts';
import { type InboxStoreName, inboxStoresOf } from '../targets/printing/receiver-options.ts';
import { scopeOf } from '../targets/scope.ts';
import {
  formatEntry,
  type TargetEntry,
  targetName,
  targetOf,
  targetOptions,
} from '../targets/target-entry.ts';
import { packageVersions } from '../contract/package-version.ts';
import { rendererOf } from '../emit/renderer.ts';
import { isInFolder, toFile } from '../load/file-paths.ts';
import { readPackageVersions } from '../output/package-versions.ts';
import { assertNotLinkedOut } from '../output/within.ts';
import { findApplicationManager, findWorkspace } from '../output/workspace.ts';
import { planApplication } from '../tools/scaffold/application.ts';
import type { Application, ApplicationOptions } from '../tools/scaffold/application-settings.ts';
import { authenticationChoices, defaultAuthentication } from '../tools/scaffold/authentication.ts';
import {
  type ScaffoldFramework,
  frameworks,
  inboxFrameworkChoices,
} from '../tools/scaffold/frameworks.ts';
import { listSources, readText } from '../tools/scaffold/read-application.ts';
import { planScaffold } from '../tools/scaffold/scaffold.ts';
import { ScaffoldError } from '../tools/scaffold/scaffold-error.ts';
import { type NewFile, writeApplication } from '../tools/scaffold/write-application.ts';
import { templateFolder } from '../targets/built-in.ts';
import { findMissingHandlers, type MissingHandlers } from '../tools/scaffold/missing-handlers.ts';
import type { Contract } from '../contract/contract.ts';
import { printable } from '../diagnostics/printable.ts';
import type { Invocation, Pairs, ScopeOption } from './command.ts';
import { CommandError } from '../tools/command-error.ts';
import { describeOtherStrategy, describeProblems, describeScaffold } from './describe-scaffold.ts';
import { type Result, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { chooseName, createUnknownNameError } from '../tools/unknown-name-error.ts';
import { type ConfiguredContract, nameOf, readOneContract } from './one-contract.ts';
import { readAnswers } from './read-answers.ts';

/** The command line of `scaffold`. */
type ScaffoldInvocation = Invocation<
  ScaffoldOptions,
  readonly [framework: string | undefined, directory: string | undefined]
>;

interface ScaffoldOptions extends ScopeOption {
  readonly authenticate?: string;
  readonly inbox?: InboxStoreName;
  readonly answer?: Pairs;
  readonly missing?: string;
}

/** Writes a new application, or prints the handlers that an existing one lacks, and reports the result. */
export async function runScaffold(invocation: ScaffoldInvocation): Promise<ExitCode> {
  const { missing } = invocation.options;
  if (missing !== undefined) return await runMissing(invocation, missing);
  const [name, directory] = invocation.values;
  if (name === undefined || directory === undefined)
    throw new CommandError('usage', 'Give the framework and the folder of the new application.');
  const framework = frameworkOf(name);
  const inbox = inboxOf(invocation, framework);
  const loadedContract = await readOneContract(invocation);
  assertReceivable(loadedContract, framework, inbox.inbox);
  const folder = resolve(invocation.terminal.folder, directory);
  assertOutside(folder, loadedContract, directory);
  assertNotLinkedOut(folder, loadedContract.loaded.folder);
  const { config } = loadedContract;
  const output = resolve(loadedContract.loaded.folder, config.output);
  const workspace = await findWorkspace(join(output, framework.target));
  const isMember = workspace?.has(folder) === true;
  const isPublished = config.packageJson?.['publishConfig'] !== undefined && !isMember;
  const answers = readAnswers(invocation.options.answer, loadedContract.contract);
  const application = planApplication(loadedContract.contract, {
    framework,
    folder: directory,
    scope: scopeOf(config),
    packageVersions: versionsOf(loadedContract),
    manager: workspace?.manager ?? (await findApplicationManager(folder)),
    hasWorkspaceProtocol: isMember && workspace.hasProtocol,
    ...(isPublished ? {} : { packages: toFile(folder, output) }),
    hasSimulator: config.targets.map(targetName).includes('simulator'),
    configuration: toFile(folder, loadedContract.loaded.file),
    ...(loadedContract.loaded.configs.length === 1 ? {} : { selection: nameOf(config) }),
    authentication: authenticationOf(invocation, loadedContract),
    ...inbox,
    answers,
  });
  const created = await writeNew(folder, application);
  const isInstallable = isMember || workspace?.contains(folder) !== true;
  const result: Result = {
    exitCode: exitCodes.ok,
    data: { folder: directory, framework: name, created: created.map(({ path }) => path) },
    describe: (paint) =>
      invocation.flags.quiet ? '' : describeScaffold(created, application, paint, isInstallable),
  };
  return await showResults([result], invocation, loadedContract.loaded.file);
}

/** Prints the stubs of the handlers that an application lacks. Exits with 1 if there are any. */
async function runMissing(invocation: ScaffoldInvocation, directory: string): Promise<ExitCode> {
  const { values, flags, terminal } = invocation;
  if (values.some((value) => value !== undefined))
    throw new CommandError(
      'usage',
      'The option --missing is used alone: it reads an application that exists.',
    );
  const loadedContract = await readOneContract(invocation);
  assertReceiving(loadedContract);
  const { contract, config, loaded } = loadedContract;
  const folder = resolve(terminal.folder, directory);
  const found = await findMissing(folder, scopeOf(config), contract).catch((error: unknown) => {
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
  return await showResults([result], invocation, loaded.file);
}

async function findMissing(
  folder: string,
  scope: string,
  contract: Contract,
): Promise<MissingHandlers> {
  return await findMissingHandlers(folder, await listSources(folder), scope, contract);
}

/** @throws CommandError `unknown-package-version` if the `package.json` of a generated package has no version */
function versionsOf({
  config,
  loaded,
  contract,
}: ConfiguredContract): Readonly<Record<string, string>> {
  const onDisk = readPackageVersions(config, resolve(loaded.folder, config.output));
  const [problem] = onDisk?.diagnostics ?? [];
  if (problem !== undefined)
    throw new CommandError(problem.code, `${problem.message} ${problem.help}`);
  const targets = [...config.targets.map(targetName), runtimePackage];
  return packageVersions(targets, config.version, contract, onDisk?.versions);
}

/**
 * Writes the files of a new application that are not there yet, and returns them.
 * @throws CommandError if it cannot, without a file written
 */
async function writeNew(folder: string, application: Application): Promise<readonly NewFile[]> {
  try {
    const render = await rendererOf({ name: 'scaffold', templates: templateFolder('scaffold') });
    const creates = await planScaffold(application, render, (path) => readText(folder, path));
    await writeApplication(folder, { creates, edits: [] });
    return creates;
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    const directory = application.folder;
    const help =
      error.code === 'occupied'
        ? ` To see the handlers that an existing application lacks, run \`countersign scaffold --missing ${printable(directory)}\`.`
        : '';
    const message = `${describeProblems(error, directory)}\nNothing was written.${help}`;
    throw new CommandError(error.code, message, { cause: error });
  }
}

function frameworkOf(name: string): ScaffoldFramework {
  const framework = frameworks.find((candidate) => candidate.name === name);
  if (framework !== undefined) return framework;
  const names = frameworks.map(({ name }) => name);
  throw createUnknownNameError('framework', name, names);
}

/** @throws CommandError `usage` for a framework whose applications cannot have an inbox */
function inboxOf(
  { options: { inbox } }: ScaffoldInvocation,
  { title, withoutInbox }: ScaffoldFramework,
): Pick<ApplicationOptions, 'inbox'> {
  if (inbox === undefined) return {};
  if (withoutInbox === undefined) return { inbox };
  throw new CommandError(
    'usage',
    `An application for ${title} cannot have an inbox. ${withoutInbox} Use ${inboxFrameworkChoices}.`,
  );
}

/** @throws CommandError `usage` for an unknown name, and without a name if the contract states nothing */
function authenticationOf(
  { options: { authenticate: asked } }: ScaffoldInvocation,
  { contract }: ConfiguredContract,
): string {
  const choices = authenticationChoices(contract);
  if (asked !== undefined) return chooseName('way to authenticate', asked, choices);
  const stated = defaultAuthentication(contract);
  if (stated !== undefined) return stated;
  throw new CommandError(
    'usage',
    `The contract does not state how a delivery proves where it comes from. State \`security\` of its notifications, or choose with --authenticate: ${choices.join(', ')}.`,
  );
}

/**
 * @throws CommandError if the contract has no notifications, or a package that the application imports is not generated
 */
function assertReceivable(
  loadedContract: ConfiguredContract,
  { target }: ScaffoldFramework,
  inbox: InboxStoreName | undefined,
): void {
  assertReceiving(loadedContract);
  const { config, loaded } = loadedContract;
  const targets = config.targets.map(targetName);
  const missing = [...new Set(['contract', 'webhooks', target])].filter(
    (name) => !targets.includes(name),
  );
  const configured = config.targets.map((entry) => toStoring(entry, inbox));
  if (missing.length === 0 && configured.every((entry, index) => entry === config.targets[index]))
    return;
  const configuredTargets = configured.map(formatEntry);
  const line = [
    ...configuredTargets,
    ...missing.map((name) => formatEntry(toStoring(name, inbox))),
  ].join(', ');
  const what = missing.length === 0 ? 'the option `inbox` of the target' : 'the target';
  throw new CommandError(
    'missing-target',
    `${loaded.file} does not have ${what} that the application needs. Change the line to\n\n` +
      `  targets: [${line}],\n\nand run \`countersign generate\`.`,
  );
}

/** Returns an entry of the configuration, with the store of an inbox if it is the receiver's and lacks it. */
function toStoring(entry: TargetEntry, store: InboxStoreName | undefined): TargetEntry {
  if (store === undefined || targetName(entry) !== 'webhooks') return entry;
  const options = targetOptions(entry);
  const stores = inboxStoresOf(options);
  if (stores.includes(store)) return entry;
  return { use: targetOf(entry), ...options, inbox: [...stores, store] };
}

/** @throws CommandError `nothing-to-receive` if the contract has no notifications, `usage` without packages */
function assertReceiving({ contract, config }: ConfiguredContract): void {
  if (contract.notifications.length === 0)
    throw new CommandError('nothing-to-receive', 'The contract has no notifications.');
  if (config.layout === 'folder')
    throw new CommandError(
      'usage',
      `${config.output} has no packages (\`layout: 'folder'\`), and a separate application imports packages.`,
    );
}

/** @throws CommandError `usage` for a folder inside the output folder */
function assertOutside(
  folder: string,
  { config, loaded }: ConfiguredContract,
  directory: string,
): void {
  if (isInFolder(resolve(loaded.folder, config.output), folder))
    throw new CommandError(
      'usage',
      `${directory} is in ${config.output}, which only \`generate\` writes.`,
    );
}
