import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Contract } from '../contract/contract.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Paint } from '../diagnostics/paint.ts';
import { printable } from '../diagnostics/printable.ts';
import { rendererOf } from '../emit/renderer.ts';
import { packageManagers } from '../execution/package-managers.ts';
import { shellWord } from '../execution/shell-word.ts';
import { generate } from '../generate.ts';
import { optional } from '../json/json.ts';
import type { Generation } from '../output/generation.ts';
import { findWorkspace } from '../output/workspace.ts';
import { templateFolder } from '../targets/built-in.ts';
import { targetName } from '../targets/target-entry.ts';
import { CommandError } from '../tools/command-error.ts';
import { ScaffoldError } from '../tools/scaffold/scaffold-error.ts';
import { type NewFile, writeApplication } from '../tools/scaffold/write-application.ts';
import {
  configurationName,
  type ContractProject,
} from '../tools/init/contract/contract-project.ts';
import type { ContractAnswers } from '../tools/init/contract/contract-questions.ts';
import { noteAboutKinds } from '../tools/init/contract/contract-notes.ts';
import {
  notesOf,
  planFiles,
  planNewOverlays,
  planProject,
  type ProjectFiles,
} from '../tools/init/contract/plan-project.ts';
import { readFolder } from '../tools/init/contract/read-folder.ts';
import { receiverFolder } from '../tools/init/project-files.ts';
import { chooseManager, ciFiles } from '../tools/init/questions.ts';
import { chooseName } from '../tools/unknown-name-error.ts';
import { count } from '../diagnostics/list-texts.ts';
import { describeMissing, describeMove } from './describe-generation.ts';
import { type Result, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes, toFailure } from './failure.ts';
import { createProgressLine } from './progress-line.ts';
import type { InitInvocation } from './init-options.ts';
import { runScaffold } from './run-scaffold.ts';
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
  await writeNew(run.folder, files.creates);
  const generation = await generateFirst(run, project);
  const refusal = project.receiver === undefined ? undefined : await scaffoldFirst(run, project);
  const kindsNotes = answers.kindsBy === 'none' ? noteAboutKinds(project.contract) : [];
  const outcome: InitOutcome = {
    project,
    answers,
    files,
    generation,
    refusal,
    hidesKinds: kindsNotes.length > 0,
    notes: [...overlays.about, ...kindsNotes, ...notesOf(project, files, overlays.statesSignature)],
    steps: await nextSteps(run, project, generation, refusal === undefined),
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
    render: await rendererOf({ name: 'init', templates: templateFolder('init') }),
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
  readonly refusal: ReturnType<typeof toFailure> | undefined;
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

/** @throws CommandError if a file appeared meanwhile, or cannot be written; then none is written */
async function writeNew(folder: string, creates: readonly NewFile[]): Promise<void> {
  try {
    await writeApplication(folder, { creates, edits: [] });
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    throw new CommandError(error.code, `${error.message} Nothing was written.`, { cause: error });
  }
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
        `${name} is written. Correct what follows, then run \`countersign generate\`.\n`,
      );
    throw error;
  } finally {
    progress.clear();
  }
}

/** Writes the receiving application. Returns why it cannot be written; `undefined` if it is. */
async function scaffoldFirst(
  { invocation, folder }: InitRun,
  project: ContractProject,
): Promise<ReturnType<typeof toFailure> | undefined> {
  const { flags, terminal } = invocation;
  const { framework, receiver = receiverFolder, authentication } = project;
  try {
    await runScaffold({
      command: 'scaffold',
      flags: { json: false, quiet: true, verbose: flags.verbose, color: flags.color },
      options: { authenticate: authentication },
      values: [framework?.name, receiver],
      terminal: { ...terminal, folder, out: () => undefined },
    });
    return undefined;
  } catch (error) {
    const failure = toFailure(error);
    if (failure.exitCode === exitCodes.internal) throw error;
    return failure;
  }
}

/** Returns the commands that follow, and what the user has to add to files that are not written. */
async function nextSteps(
  { folder, directory }: InitRun,
  project: ContractProject,
  generation: Generation,
  hasReceiver: boolean,
): Promise<readonly string[]> {
  const { config, manager, framework, receiver } = project;
  const { install, run } = packageManagers[manager];
  const steps = directory === '.' ? [] : [`cd ${shellWord(directory)}`];
  if (generation.status === 'invalid') return [...steps, 'countersign generate'];
  const isNew = project.folder.packages === undefined;
  if (config.layout === 'folder') {
    const packages = [...describeMove(generation), ...describeMissing(generation)];
    return [...steps, ...(isNew ? [install] : []), ...packages, ...(isNew ? [run('test')] : [])];
  }
  const [first = ''] = config.targets.map(targetName);
  const isMember = await findWorkspace(join(folder, config.output, first));
  const members = [`${config.output}/*`, ...(receiver === undefined ? [] : ['apps/*'])];
  if (isMember === undefined)
    steps.push(
      manager === 'pnpm'
        ? `add to pnpm-workspace.yaml: packages: ${JSON.stringify(members)}`
        : `add to package.json: "workspaces": ${JSON.stringify(members)}`,
    );
  steps.push(install);
  if (!hasReceiver && receiver !== undefined) {
    const { contract, authentication } = project;
    const choice = contract.authentication.isUnstated
      ? ` --authenticate ${shellWord(authentication)}`
      : '';
    return [...steps, `countersign scaffold ${framework?.name ?? ''} ${receiver}${choice}`];
  }
  return [...steps, isNew ? run('test') : packageManagers[manager].runIn(config.output, 'build')];
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
    ...(steps.length === 0 ? [] : [`next: ${steps.map((step) => printable(step)).join(', ')}`]),
  ].join('\n')}\n`;
}
