import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, Documents } from 'countersign';
import { checkConfig, type NewFile } from 'countersign/companion/application';
import type { PackageManager } from 'countersign/companion/frameworks';
import type { Render } from 'countersign/companion/printing';
import { resolveTargets } from 'countersign/companion/generation';
import { CommandError } from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import type { Contract } from 'countersign/kit';
import {
  authenticationChoices,
  defaultAuthentication,
  planAuthentication,
  sharedSecretChoice,
} from '../../scaffold/authentication.ts';
import { frameworks } from '../../scaffold/frameworks.ts';
import { receiverFolder } from '../questions.ts';
import { toolkitPackage } from '../toolkit-package.ts';
import type { FolderFacts } from './contract-facts.ts';
import {
  noteAboutDescribedSignatures,
  noteAboutDuplicates,
  noteAboutKeptReceiver,
  noteAboutModules,
  noteAboutMount,
  noteAboutUnions,
} from './contract-notes.ts';
import { type ContractProject, renderContractProject, renderReceiver } from './contract-project.ts';
import type { ContractAnswers } from './contract-questions.ts';
import { type PlannedOverlays, planOverlays } from './plan-overlays.ts';
import { signatureForms } from './signatures.ts';

/** Where a project is planned. */
export interface ProjectPlace {
  /** The folder of the configuration, absolute. */
  readonly folder: string;
  readonly facts: FolderFacts;
  readonly manager: PackageManager;
  readonly ci: string;
  readonly render: Render;
}

/** A contract before its overlays, with the part of the configuration that names it. */
export interface SourceContract {
  readonly config: Config;
  readonly contract: Contract;
  readonly documents: Documents;
}

/** Reads a contract with files that are not written yet, by their absolute paths. */
export type ReadPlanned = (config: Config, texts: ReadonlyMap<string, string>) => Promise<Contract>;

/**
 * Plans the overlays that state the answers.
 * @throws CommandError `occupied` if a file of an overlay exists
 */
export function planNewOverlays(
  { folder, render }: ProjectPlace,
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
 * @param read rejects if the contract has errors with the overlays
 * @throws ConfigError for answers that do not fit together
 */
export async function planProject(
  { folder, facts, manager, ci }: ProjectPlace,
  source: SourceContract,
  answers: ContractAnswers,
  overlays: readonly NewFile[],
  read: ReadPlanned,
): Promise<ContractProject> {
  const config = await toConfig(source.config, answers, overlays, facts.takesTsImports);
  const contract =
    overlays.length === 0
      ? source.contract
      : await read(config, new Map(overlays.map(({ path, text }) => [join(folder, path), text])));
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
  { folder, render }: ProjectPlace,
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
    ...noteAboutUnions(contract),
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

/** @throws ConfigError for answers that do not fit together */
async function toConfig(
  stated: Config,
  { layout, scope, target = '', output = stated.output }: ContractAnswers,
  overlays: readonly NewFile[],
  takesTsImports: boolean,
): Promise<Config> {
  const isFolder = layout === 'folder';
  const all = [...(stated.contract.overlays ?? []), ...overlays.map(({ path }) => path)];
  const config: Config = {
    ...stated,
    contract: {
      ...stated.contract,
      ...(all.length === 0 ? {} : { overlays: all }),
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
