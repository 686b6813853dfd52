import { join, resolve } from 'node:path';
import { type Config, type Diagnostic, generate, type Generation, loadConfig } from 'countersign';
import { writeUserFiles } from 'countersign/companion/application';
import { createProgressLine, type Result, showResults } from 'countersign/companion/configuration';
import { chooseName } from 'countersign/companion/options';
import {
  count,
  type ExitCode,
  exitCodes,
  type Failure,
  type Paint,
  printable,
  toFailure,
} from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import type { Contract } from 'countersign/kit';
import { describeNext } from '../describe-next.ts';
import { scaffoldApplication } from '../scaffold/scaffold-application.ts';
import { rendererFor } from '../templates.ts';
import { noteAboutKinds, noteAboutLists } from './contract/contract-notes.ts';
import { configurationName, type ContractProject } from './contract/contract-project.ts';
import type { ContractAnswers } from './contract/contract-questions.ts';
import { nextSteps } from './contract/next-steps.ts';
import {
  notesOf,
  planFiles,
  planNewOverlays,
  planProject,
  type ProjectFiles,
} from './contract/plan-project.ts';
import { readFolder } from './contract/read-folder.ts';
import type { InitInvocation } from './init-options.ts';
import { chooseManager, ciFiles } from './questions.ts';
import { askAboutContract, type InitRun, readComplete, readSource } from './read-init-contract.ts';

/**
 * Writes the configuration for a contract that exists, and the overlays that it needs, generates its code, and reports
 * the next steps. Existing files are kept. Nothing is written before the contract, with the overlays, has no errors.
 * @throws CommandError
 */
export async function runInitContract(invocation: InitInvocation): Promise<ExitCode> {
  const run = await startRun(invocation);
  const source = await readSource(run);
  const answers = await askAboutContract(run, source);
  const overlays = planNewOverlays(run, source, answers);
  const read = async (config: Config, texts: ReadonlyMap<string, string>): Promise<Contract> =>
    await readComplete(run, config, texts);
  const project = await planProject(run, source, answers, overlays.files, read);
  const files = await planFiles(run, project, overlays.files);
  await writeUserFiles(run.folder, { creates: files.creates, edits: [] });
  const generation = await generateFirst(run, project);
  const refusal = await scaffoldFirst(run.folder, project);
  const kindsNotes = answers.kindsBy === 'none' ? noteAboutKinds(project.contract) : [];
  const outcome: InitOutcome = {
    project,
    answers,
    files,
    generation,
    refusal,
    hidesKinds: kindsNotes.length > 0,
    notes: [
      ...overlays.about,
      ...kindsNotes,
      ...(project.config.targets.includes('client') ? noteAboutLists(project.contract) : []),
      ...notesOf(project, files, overlays.statesSignature),
    ],
    steps: await nextSteps({ ...run, project, generation, hasReceiver: refusal === undefined }),
  };
  return await showResults(
    [toResult(run, outcome)],
    invocation,
    join(run.folder, configurationName(project.folder)),
  );
}

/**
 * Reads the options and the folder.
 * @throws CommandError `usage` for an unknown value, and for an option that an existing contract does not have
 */
async function startRun(invocation: InitInvocation): Promise<InitRun> {
  const { values, options, terminal, flags } = invocation;
  const directory = values[0] ?? '.';
  const folder = resolve(terminal.folder, directory);
  const { ci = 'none' } = options;
  chooseName('ci', ci, [...ciFiles.keys(), 'none']);
  const agent = terminal.environment['npm_config_user_agent'];
  return {
    invocation,
    directory,
    folder,
    manager: chooseManager(options.manager, agent),
    ci,
    facts: await readFolder(folder, printable(directory)),
    render: await rendererFor('init'),
    progress: createProgressLine(terminal, flags),
  };
}

/** What a run did. */
interface InitOutcome {
  readonly project: ContractProject;
  readonly answers: ContractAnswers;
  readonly files: ProjectFiles;
  readonly generation: Generation;
  /** Why the receiving application could not be written; `undefined` if it was. */
  readonly refusal: Failure | undefined;
  /** Whether a note replaces the warnings about notifications that cannot be distinguished. */
  readonly hidesKinds: boolean;
  readonly notes: readonly string[];
  readonly steps: readonly string[];
}

function toResult({ invocation, directory }: InitRun, outcome: InitOutcome): Result {
  const { flags } = invocation;
  const { project, answers, files, generation, refusal, hidesKinds, notes, steps } = outcome;
  const failed = generation.status === 'invalid' || refusal !== undefined;
  return {
    exitCode: failed ? exitCodes.problems : exitCodes.ok,
    data: {
      folder: directory,
      ...answers,
      created: files.creates.map(({ path }) => path),
      kept: files.kept,
      ...optional('receiver', files.receiver ?? project.receiver),
      notes,
      next: steps,
    },
    diagnostics:
      hidesKinds && !flags.verbose
        ? generation.diagnostics.filter(isOfOtherThanKinds)
        : generation.diagnostics,
    files: generation.files,
    describe: (paint) => (flags.quiet && !failed ? '' : describe(outcome, paint)),
    ...optional('failure', refusal),
  };
}

/** Returns whether a diagnostic is another one than the warning that the note about kinds replaces. */
function isOfOtherThanKinds({ code, severity }: Diagnostic): boolean {
  return code !== 'indistinct-notifications' || severity === 'error';
}

/**
 * Generates the code of the configuration that was written.
 * @throws CommandError if a target fails; the configuration stays
 */
async function generateFirst(
  { invocation: { terminal }, folder, progress }: InitRun,
  project: ContractProject,
): Promise<Generation> {
  const name = configurationName(project.folder);
  try {
    return await generate(project.config, {
      folder,
      file: join(folder, name),
      onProgress: (step) => progress.show(step),
    });
  } catch (error) {
    progress.clear();
    const { exitCode } = toFailure(error);
    if (exitCode !== exitCodes.internal)
      terminal.error(
        `${name} is written. Correct these errors, then run \`countersign generate\`.\n`,
      );
    throw error;
  } finally {
    progress.clear();
  }
}

/** Writes the receiving application. Returns why it cannot be written; `undefined` if it is. */
async function scaffoldFirst(
  folder: string,
  { contract, framework, receiver, authentication }: ContractProject,
): Promise<Failure | undefined> {
  if (framework === undefined || receiver === undefined) return undefined;
  try {
    const loaded = await loadConfig(folder);
    for (const config of loaded.configs)
      await scaffoldApplication(
        { config, loaded, contract },
        {
          framework,
          directory: receiver,
          from: folder,
          authenticate: authentication,
          answers: new Map(),
        },
      );
    return undefined;
  } catch (error) {
    const failure = toFailure(error);
    if (failure.exitCode === exitCodes.internal) throw error;
    return failure;
  }
}

function describe({ project, files, notes, steps, generation }: InitOutcome, paint: Paint): string {
  const created = paint('green', 'created');
  const { config, receiver } = project;
  return `${[
    ...files.creates.map(({ path }) => `${created}  ${path}`),
    ...files.kept.map((path) => `${paint('yellow', 'kept')}     ${path}, which exists`),
    `${created}  ${config.output}/: ${count(generation.changes.length, 'file')}`,
    ...(receiver === undefined ? [] : [`${created}  ${receiver}/`]),
    ...notes.map((line) => printable(line)),
    ...describeNext(steps),
  ].join('\n')}\n`;
}
