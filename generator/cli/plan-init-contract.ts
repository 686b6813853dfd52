import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { checkConfig } from '../config/check-config.ts';
import type { Config } from '../config/config.ts';
import type { Contract } from '../contract/contract.ts';
import type { Documents } from '../documents/documents.ts';
import type { PackageManager } from '../execution/package-managers.ts';
import { readContract } from '../generate.ts';
import { optional } from '../json/json.ts';
import type { ContractFiles } from '../load/contract-files.ts';
import { groupsToDistinguish } from '../rules/notifications.ts';
import { resolveTargets } from '../targets/registry.ts';
import type { Render } from '../targets/render.ts';
import { CommandError } from '../tools/command-error.ts';
import { documentsOf, overlaysOf } from '../tools/documents-of.ts';
import {
  authenticationChoices,
  defaultAuthentication,
  planAuthentication,
  sharedSecretChoice,
} from '../tools/scaffold/authentication.ts';
import { frameworks } from '../tools/scaffold/frameworks.ts';
import type { NewFile } from '../tools/scaffold/write-application.ts';
import {
  type ContractProject,
  renderContractProject,
  renderReceiver,
} from '../tools/init/contract/contract-project.ts';
import type { FolderFacts } from '../tools/init/contract/contract-facts.ts';
import {
  assertRaised,
  type ContractAnswers,
  contractQuestions,
  perspectiveQuestion,
} from '../tools/init/contract/contract-questions.ts';
import {
  noteAboutDescribedSignatures,
  noteAboutDuplicates,
  noteAboutKeptReceiver,
  noteAboutModules,
  noteAboutMount,
} from '../tools/init/contract/contract-notes.ts';
import { type PlannedOverlays, planOverlays } from '../tools/init/contract/plan-overlays.ts';
import { signatureForms } from '../tools/init/contract/signatures.ts';
import { receiverFolder } from '../tools/init/project-files.ts';
import { toolkitPackage } from '../tools/init/toolkit-package.ts';
import { answerQuestions, optionName } from './ask.ts';
import { createInvalidError, readWithoutErrors } from './one-contract.ts';
import type { ProgressLine } from './progress-line.ts';
import type { InitInvocation } from './init-options.ts';
import { showDiagnostics } from './show-diagnostics.ts';

/** What every step reads. */
export interface InitRun {
  readonly invocation: InitInvocation;
  /** The folder of the configuration, as the command line has it. */
  readonly directory: string;
  /** The same, absolute. */
  readonly folder: string;
  readonly facts: FolderFacts;
  readonly manager: PackageManager;
  readonly ci: string;
  readonly render: Render;
  readonly progress: ProgressLine;
}

/** A contract before its overlays, with the part of the configuration that names it. */
interface SourceContract {
  readonly config: Config;
  readonly contract: Contract;
  readonly documents: Documents;
}

/**
 * Reads the contract of the options, from the perspective that the user states.
 * @throws CommandError `invalid-contract`, `usage`, `not-found`, `unreadable`
 */
export async function readSource({
  invocation,
  folder,
  progress,
}: InitRun): Promise<SourceContract> {
  const { options, terminal } = invocation;
  const files = {
    ...(await documentsOf(
      options.contract ?? [],
      terminal.folder,
      folder,
      'Give it with --overlay.',
    )),
    ...(await givenOverlays(options.overlay ?? [], terminal.folder, folder)),
    ...optional('folder', contractFolder(options.contractFolder, terminal.folder, folder)),
  };
  const { perspective = 'service' } =
    files.asyncapi === undefined && options.perspective === undefined
      ? {}
      : await answerQuestions([perspectiveQuestion], invocation);
  const config: Config = {
    contract: files,
    output: 'generated',
    targets: [],
    ...(perspective === 'integrator' ? { perspective } : {}),
  };
  return { config, ...(await readWithoutErrors(config, { folder }, invocation, progress)) };
}

/**
 * Asks what the contract leaves open.
 * @throws CommandError `usage` for an option that answers no question of this contract
 */
export async function askAboutContract(
  { invocation, facts, render }: InitRun,
  { contract }: SourceContract,
): Promise<ContractAnswers> {
  const questions = contractQuestions({
    contract,
    isIndistinct: groupsToDistinguish(contract).length > 0,
    forms: signatureForms(render),
    folder: facts,
  });
  assertRaised(questions, invocation.options, optionName);
  return await answerQuestions(questions, invocation);
}

/**
 * Plans the overlays that state the answers.
 * @throws CommandError `occupied` if a file of an overlay exists
 */
export function planNewOverlays(
  { folder, render }: InitRun,
  { config, contract, documents }: SourceContract,
  answers: ContractAnswers,
): PlannedOverlays {
  const forms = signatureForms(render, answers.signatureHeader);
  const overlays = planOverlays(contract, documents, answers, forms, config.contract.overlays);
  const taken = overlays.files.find(({ path }) => existsSync(join(folder, path)));
  if (taken === undefined) return overlays;
  throw new CommandError(
    'occupied',
    `${taken.path} exists already. Nothing was written. If it is an overlay of this contract, give it with --overlay. Otherwise, move it, or write the configuration by hand.`,
  );
}

/**
 * Plans the configuration, and the receiver if the answers want one.
 * @throws CommandError `invalid-contract` if the contract has errors with the overlays
 */
export async function planProject(
  run: InitRun,
  source: SourceContract,
  answers: ContractAnswers,
  overlays: readonly NewFile[],
): Promise<ContractProject> {
  const { facts, manager, ci } = run;
  const config = await toConfig(source.config, answers, overlays, facts.takesTsImports);
  const contract =
    overlays.length === 0 ? source.contract : await readComplete(run, config, overlays);
  const framework = frameworks.find(({ name }) => name === answers.framework);
  const isReceiving =
    framework !== undefined && answers.target?.split(', ').includes(framework.target) === true;
  return {
    contract,
    config,
    folder: facts,
    manager,
    ci,
    authentication:
      authenticationChoices(contract).find((name) => name === answers.signature) ??
      defaultAuthentication(contract) ??
      sharedSecretChoice,
    framework: isReceiving ? framework : undefined,
    receiver: isReceiving && config.layout !== 'folder' ? receiverFolder : undefined,
  };
}

/** The files beside the generated ones. */
export interface ProjectFiles {
  readonly creates: readonly NewFile[];
  /** The paths of those that exist. */
  readonly kept: readonly string[];
  /** The path of the receiver that is a file of the project; `undefined` if there is none. */
  readonly receiver: string | undefined;
}

/** Plans the files beside the generated ones. Those that exist are kept. */
export async function planFiles(
  { folder, render }: InitRun,
  project: ContractProject,
  overlays: readonly NewFile[],
): Promise<ProjectFiles> {
  const { config, framework } = project;
  const receiver =
    config.layout === 'folder' && framework !== undefined
      ? await renderReceiver(project, render)
      : undefined;
  const planned = [
    ...overlays,
    ...(receiver === undefined ? [] : [receiver]),
    ...(await renderContractProject(project, render, toolkitPackage(folder).range)),
  ];
  const creates = planned.filter(({ path }) => !existsSync(join(folder, path)));
  const kept = planned.filter((file) => !creates.includes(file)).map(({ path }) => path);
  return { creates, kept, receiver: receiver?.path };
}

/** Returns what a user has to know about the receiver. */
export function notesOf(
  { contract, authentication, framework, folder }: ContractProject,
  { kept, receiver }: ProjectFiles,
  statesSignature: boolean,
): readonly string[] {
  if (framework === undefined) return [];
  const { about, strategy } = planAuthentication(contract, authentication, new Map());
  return [
    // The contract states the signature that the overlays have, and only because the user said so.
    ...(statesSignature ? [] : [about, ...noteAboutDescribedSignatures(contract)]),
    ...noteAboutDuplicates(contract),
    ...(receiver === undefined
      ? []
      : [
          ...noteAboutModules(folder, receiver),
          noteAboutMount(receiver, framework.mount),
          ...(kept.includes(receiver) ? [noteAboutKeptReceiver(receiver, strategy)] : []),
        ]),
  ];
}

/** @throws CommandError `usage`, `not-found`, `unreadable` */
async function givenOverlays(
  files: readonly string[],
  from: string,
  folder: string,
): Promise<Pick<ContractFiles, 'overlays'>> {
  return withOverlays(await overlaysOf(files, from, folder));
}

function withOverlays(overlays: readonly string[]): Pick<ContractFiles, 'overlays'> {
  return overlays.length === 0 ? {} : { overlays };
}

/** Returns the folder that references must not leave, as the configuration in a folder has it. */
function contractFolder(
  path: string | undefined,
  from: string,
  folder: string,
): string | undefined {
  if (path === undefined) return undefined;
  return relative(folder, resolve(from, path)).split(sep).join('/') || '.';
}

/** @throws ConfigError for answers that do not fit together */
async function toConfig(
  stated: Config,
  { layout, scope, target = '', output = stated.output }: ContractAnswers,
  overlays: readonly NewFile[],
  takesTsImports: boolean,
): Promise<Config> {
  const isFolder = layout === 'folder';
  const config: Config = {
    ...stated,
    contract: {
      ...stated.contract,
      ...withOverlays([...(stated.contract.overlays ?? []), ...overlays.map(({ path }) => path)]),
    },
    ...(isFolder ? { layout: 'folder' } : optional('scope', scope)),
    ...(isFolder && takesTsImports ? { importExtension: '.ts' } : {}),
    output,
    targets: target.split(', '),
  };
  const [checked = config] = await checkConfig([config], '');
  await resolveTargets(checked.targets);
  return checked;
}

/**
 * Reads the contract with the overlays, which are not written yet.
 * @throws CommandError `invalid-contract` if it has errors
 */
async function readComplete(
  { invocation, folder, progress }: InitRun,
  config: Config,
  overlays: readonly NewFile[],
): Promise<Contract> {
  const { command, flags, terminal } = invocation;
  const texts = new Map(overlays.map((file) => [join(folder, file.path), file.text]));
  const { contract, documents, diagnostics } = await readContract(config, folder, {
    report: (step) => progress.show(step),
    texts,
  }).finally(() => progress.clear());
  if (contract !== undefined) return contract;
  if (!flags.json) await showDiagnostics(diagnostics, documents.files, flags, terminal);
  throw createInvalidError(command);
}
