import { relative, resolve, sep } from 'node:path';
import type { Config, ContractFiles } from 'countersign';
import {
  groupsToDistinguish,
  overlaysOf,
  type ProgressLine,
} from 'countersign/companion/application';
import { documentsOf, readWithoutErrors } from 'countersign/companion/project';
import { optional } from 'countersign/companion/values';
import type { Contract } from 'countersign/kit';
import {
  assertRaised,
  type ContractAnswers,
  contractQuestions,
  perspectiveQuestion,
} from './contract/contract-questions.ts';
import type { ProjectPlace, SourceContract } from './contract/plan-project.ts';
import { signatureForms } from './contract/signatures.ts';
import { answerQuestions, optionName } from './ask.ts';
import type { InitInvocation } from './init-options.ts';

/** What every step reads. */
export interface InitRun extends ProjectPlace {
  readonly invocation: InitInvocation;
  /** The folder of the configuration, as the command line has it. */
  readonly directory: string;
  readonly progress: ProgressLine;
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

/** @throws CommandError `usage`, `not-found`, `unreadable` */
async function givenOverlays(
  files: readonly string[],
  from: string,
  folder: string,
): Promise<Pick<ContractFiles, 'overlays'>> {
  const overlays = await overlaysOf(files, from, folder);
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

/**
 * Reads the contract with files that are not written yet, by their absolute paths.
 * @throws CommandError `invalid-contract` if it has errors
 */
export async function readComplete(
  { invocation, folder, progress }: InitRun,
  config: Config,
  texts: ReadonlyMap<string, string>,
): Promise<Contract> {
  const { contract } = await readWithoutErrors(config, { folder, texts }, invocation, progress);
  return contract;
}
