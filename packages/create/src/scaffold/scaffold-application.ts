import { join, resolve } from 'node:path';
import {
  findWorkspace,
  type NewFile,
  runtimePackage,
  writeUserFiles,
} from 'countersign/companion/application';
import { scopeOf, targetName } from 'countersign/companion/configuration';
import { packageVersions } from 'countersign/companion/contract';
import { assertNotLinkedOut, isInFolder, toFile } from 'countersign/companion/paths';
import { chooseName, nameOf } from 'countersign/companion/options';
import { findApplicationManager, readPackageVersions } from 'countersign/companion/project';
import { CommandError, printable } from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import type { Contract } from 'countersign/kit';
import { rendererFor } from '../templates.ts';
import { planApplication } from './application.ts';
import type { Application } from './application-settings.ts';
import { assertReceivable, type ContractToReceive } from './assert-receivable.ts';
import { authenticationChoices, defaultAuthentication } from './authentication.ts';
import { describeProblems } from './describe-scaffold.ts';
import type { ScaffoldFramework } from './frameworks.ts';
import type { Answers } from './proofs/plan.ts';
import { readText } from './read-application.ts';
import { planScaffold } from './scaffold.ts';
import { ScaffoldError } from './scaffold-error.ts';
import type { StorageName } from './storage.ts';

/** The application to write. */
export interface ScaffoldRequest {
  readonly framework: ScaffoldFramework;
  /** The folder of the application, relative to another one, which is absolute. */
  readonly directory: string;
  readonly from: string;
  /** One of `authenticationChoices`; by default what the contract states. */
  readonly authenticate?: string | undefined;
  /** Where it stores deliveries; without one, its handlers run in the request. */
  readonly storage?: StorageName | undefined;
  readonly answers: Answers;
}

/** A new application. */
export interface ScaffoldedApplication {
  readonly application: Application;
  /** The files that were not there before. */
  readonly created: readonly NewFile[];
  /** Whether its packages can be installed: it is in no workspace, or in the one that lists it. */
  readonly isInstallable: boolean;
}

/**
 * Writes an application that receives the notifications of a contract.
 * @throws CommandError `usage`, `nothing-to-receive`, `missing-target` or `unknown-package-version` if the contract or its
 * configuration does not fit, and those of `ScaffoldError`. No file is written then.
 */
export async function scaffoldApplication(
  configured: ContractToReceive,
  { framework, directory, from, authenticate, storage, answers }: ScaffoldRequest,
): Promise<ScaffoldedApplication> {
  assertReceivable(configured, framework, storage);
  const { config, loaded, contract } = configured;
  const folder = resolve(from, directory);
  assertOutside(folder, configured, directory);
  assertNotLinkedOut(folder, loaded.folder);
  const output = resolve(loaded.folder, config.output);
  const workspace = await findWorkspace(join(output, framework.target));
  const isMember = workspace?.has(folder) === true;
  const isPublished = config.packageJson?.['publishConfig'] !== undefined && !isMember;
  const application = planApplication(contract, {
    framework,
    folder: directory,
    scope: scopeOf(config),
    packageVersions: versionsOf(configured),
    manager: workspace?.manager ?? (await findApplicationManager(folder)),
    hasWorkspaceProtocol: isMember && workspace.hasProtocol,
    ...(isPublished ? {} : { packages: toFile(folder, output) }),
    hasSimulator: config.targets.map(targetName).includes('simulator'),
    configuration: toFile(folder, loaded.file),
    ...(loaded.configs.length === 1 ? {} : { selection: nameOf(config) }),
    authentication: authenticationOf(authenticate, contract),
    ...optional('storage', storage),
    answers,
  });
  const created = await writeNew(folder, application);
  const isInstallable = isMember || workspace?.contains(folder) !== true;
  return { application, created, isInstallable };
}

/** @throws CommandError `unknown-package-version` if the `package.json` of a generated package has no version */
function versionsOf({
  config,
  loaded,
  contract,
}: ContractToReceive): Readonly<Record<string, string>> {
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
    const render = await rendererFor('scaffold');
    const creates = await planScaffold(application, render, (path) => readText(folder, path));
    await writeUserFiles(folder, { creates, edits: [] });
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

/** @throws CommandError `usage` for an unknown name, and without a name if the contract states nothing */
export function authenticationOf(asked: string | undefined, contract: Contract): string {
  const choices = authenticationChoices(contract);
  if (asked !== undefined) return chooseName('way to authenticate', asked, choices);
  const stated = defaultAuthentication(contract);
  if (stated !== undefined) return stated;
  throw new CommandError(
    'usage',
    `The contract does not say how a delivery is authenticated. State \`security\` of its notifications, or choose with --authenticate: ${choices.join(', ')}.`,
  );
}

/** @throws CommandError `usage` for a folder inside the output folder */
export function assertOutside(
  folder: string,
  { config, loaded }: ContractToReceive,
  directory: string,
): void {
  if (isInFolder(resolve(loaded.folder, config.output), folder))
    throw new CommandError(
      'usage',
      `${directory} is in ${config.output}, which only \`generate\` writes.`,
    );
}
