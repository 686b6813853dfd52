import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { checkConfig } from '../config/check-config.ts';
import type { Config } from '../config/config.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type Paint } from '../diagnostics/paint.ts';
import { printable } from '../diagnostics/printable.ts';
import { rendererOf } from '../emit/renderer.ts';
import { packageManagers } from '../execution/package-managers.ts';
import { shellWord } from '../execution/shell-word.ts';
import { generate, readContract } from '../generate.ts';
import { optional } from '../json/json.ts';
import type { ContractFiles } from '../load/contract-files.ts';
import type { Generation } from '../output/generation.ts';
import { findWorkspace } from '../output/workspace.ts';
import { groupsToDistinguish } from '../rules/notifications.ts';
import { templateFolder } from '../targets/built-in.ts';
import { resolveTargets } from '../targets/registry.ts';
import { targetName } from '../targets/target-entry.ts';
import { CommandError } from '../tools/command-error.ts';
import { documentsOf, overlaysOf } from '../tools/documents-of.ts';
import {
  defaultAuthentication,
  planAuthentication,
  sharedSecretChoice,
} from '../tools/scaffold/authentication.ts';
import { frameworks } from '../tools/scaffold/frameworks.ts';
import { ScaffoldError } from '../tools/scaffold/scaffold-error.ts';
import { type NewFile, writeApplication } from '../tools/scaffold/write-application.ts';
import {
  configurationName,
  type ContractProject,
  renderContractProject,
  renderReceiver,
} from '../tools/init/contract/contract-project.ts';
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
  noteAboutKinds,
  noteAboutModules,
  noteAboutMount,
} from '../tools/init/contract/contract-notes.ts';
import { planOverlays } from '../tools/init/contract/plan-overlays.ts';
import { readFolder } from '../tools/init/contract/read-folder.ts';
import { signatureForms } from '../tools/init/contract/signatures.ts';
import { receiverFolder } from '../tools/init/project-files.ts';
import { chooseManager, ciFiles } from '../tools/init/questions.ts';
import { toolkitPackages } from '../tools/init/toolkit-packages.ts';
import { chooseName } from '../tools/unknown-name-error.ts';
import { answerQuestions, optionName } from './ask.ts';
import type { Invocation } from './command.ts';
import { count, describeMissing, describeMove } from './describe-generation.ts';
import { type Result, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes, toFailure } from './failure.ts';
import { createInvalidError, readWithoutErrors } from './one-contract.ts';
import { text, texts } from './option-values.ts';
import { createProgressLine, type ProgressLine } from './progress-line.ts';
import { runScaffold } from './run-scaffold.ts';
import { showDiagnostics } from './show-diagnostics.ts';

/**
 * Writes the configuration for a contract that exists, and the overlays that it needs, generates its code, and reports
 * the next steps. Existing files are kept. Nothing is written before the contract, with the overlays, has no errors.
 * @throws CommandError
 */
export async function runInitContract(invocation: Invocation): Promise<ExitCode> {
  const { values, options, terminal } = invocation;
  const directory = values[0] ?? '.';
  const folder = resolve(terminal.folder, directory);
  if (options['title'] !== undefined)
    throw new CommandError('usage', '--title is for a new contract. With --contract, it has one.');
  const ci = text(options['ci']) ?? 'none';
  chooseName('ci', ci, [...ciFiles.keys(), 'none']);
  const agent = terminal.environment['npm_config_user_agent'];
  const manager = chooseManager(options['manager'], agent);
  const folderFacts = await readFolder(folder, printable(directory));
  const files = {
    ...(await documentsOf(
      texts(options['contract']),
      terminal.folder,
      folder,
      'Give it with --overlay.',
    )),
    ...(await givenOverlays(texts(options['overlay']), terminal.folder, folder)),
    ...optional('folder', contractFolder(text(options['contractFolder']), terminal.folder, folder)),
  };

  const { perspective = 'service' } =
    files.asyncapi === undefined && options['perspective'] === undefined
      ? {}
      : await answerQuestions([perspectiveQuestion], invocation);
  const stated: Config = {
    contract: files,
    output: 'generated',
    targets: [],
    ...(perspective === 'integrator' ? { perspective } : {}),
  };
  const progress = createProgressLine(terminal, invocation.flags);
  const { contract, documents } = await readWithoutErrors(stated, { folder }, invocation, progress);
  const render = await rendererOf({ name: 'init', templates: templateFolder('init') });
  const facts = {
    contract,
    isIndistinct: groupsToDistinguish(contract).length > 0,
    forms: signatureForms(render),
    folder: folderFacts,
  };
  const questions = contractQuestions(facts);
  assertRaised(questions, options, optionName);
  const answers = await answerQuestions(questions, invocation);

  const forms = signatureForms(render, answers.signatureHeader);
  const overlays = planOverlays(contract, documents, answers, forms, files.overlays);
  const taken = overlays.files.find(({ path }) => existsSync(join(folder, path)));
  if (taken !== undefined)
    throw new CommandError(
      'occupied',
      `${taken.path} exists already. Nothing was written. If it is an overlay of this contract, give it with --overlay. Otherwise, move it, or write the configuration by hand.`,
    );
  const config = await toConfig(stated, answers, overlays.files, folderFacts.takesTsImports);
  const complete =
    overlays.files.length === 0
      ? contract
      : await readComplete(config, folder, overlays.files, invocation, progress);
  const framework = frameworks.find(({ name }) => name === answers.framework);
  const isReceiving =
    framework !== undefined && answers.target?.split(', ').includes(framework.target) === true;
  const project: ContractProject = {
    contract: complete,
    config,
    folder: folderFacts,
    manager,
    ci,
    authentication:
      answers.signature === sharedSecretChoice
        ? sharedSecretChoice
        : defaultAuthentication(complete),
    framework: isReceiving ? framework : undefined,
    receiver: isReceiving && config.layout !== 'folder' ? receiverFolder : undefined,
  };
  const toolkit = toolkitPackages(folder);
  const receiver =
    config.layout === 'folder' && isReceiving ? await renderReceiver(project, render) : undefined;
  const planned = [
    ...overlays.files,
    ...(receiver === undefined ? [] : [receiver]),
    ...(await renderContractProject(project, render, toolkit.ranges)),
  ];
  const creates = planned.filter(({ path }) => !existsSync(join(folder, path)));
  await writeNew(folder, creates);

  const kept = planned.filter((file) => !creates.includes(file)).map(({ path }) => path);
  const run = { invocation, project, folder, directory, progress };
  const generation = await generateFirst(run);
  const refusal = project.receiver === undefined ? undefined : await scaffoldFirst(run);
  const strategy = planAuthentication(complete, project.authentication, new Map());
  const kindsNotes = answers.kindsBy === 'none' ? noteAboutKinds(complete) : [];
  const notes = [
    ...overlays.about,
    ...kindsNotes,
    // The contract states the signature that the overlays have, and only because the user said so.
    ...(isReceiving && !overlays.statesSignature
      ? [strategy.about, ...noteAboutDescribedSignatures(complete)]
      : []),
    ...(isReceiving ? noteAboutDuplicates(complete) : []),
    ...(receiver === undefined
      ? []
      : [
          ...noteAboutModules(folderFacts, receiver.path),
          noteAboutMount(receiver.path, framework?.mount),
          ...(kept.includes(receiver.path)
            ? [noteAboutKeptReceiver(receiver.path, strategy.strategy)]
            : []),
        ]),
  ];
  const steps = await nextSteps(run, generation, refusal === undefined);
  const failed = generation.status === 'invalid' || refusal !== undefined;
  const result: Result = {
    exitCode: failed ? exitCodes.problems : exitCodes.ok,
    data: {
      folder: directory,
      ...answers,
      created: creates.map(({ path }) => path),
      kept,
      ...optional('receiver', receiver?.path ?? project.receiver),
      notes,
      next: steps,
    },
    diagnostics:
      kindsNotes.length === 0 || invocation.flags.verbose
        ? generation.diagnostics
        : generation.diagnostics.filter(isOfOtherThanKinds),
    files: generation.files,
    describe: (paint) =>
      invocation.flags.quiet && !failed
        ? ''
        : describe({ creates, kept, notes, steps }, run, generation, paint),
    ...optional('failure', refusal),
  };
  return await showResults([result], invocation, join(folder, configurationName(folderFacts)));
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

/** Returns whether a diagnostic is another one than the warning that the note about kinds replaces. */
function isOfOtherThanKinds({ code, severity }: Diagnostic): boolean {
  return code !== 'indistinct-notifications' || severity === 'error';
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

/** A run whose configuration is written. */
interface InitRun {
  readonly invocation: Invocation;
  readonly project: ContractProject;
  /** Absolute. */
  readonly folder: string;
  /** The same as the command line has it. */
  readonly directory: string;
  readonly progress: ProgressLine;
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
  config: Config,
  folder: string,
  overlays: readonly NewFile[],
  { command, flags, terminal }: Invocation,
  progress: ProgressLine,
): Promise<ContractProject['contract']> {
  const texts = new Map(overlays.map((file) => [join(folder, file.path), file.text]));
  const { contract, documents, diagnostics } = await readContract(config, folder, {
    report: (step) => progress.show(step),
    texts,
  }).finally(() => progress.clear());
  if (contract !== undefined) return contract;
  if (!flags.json) await showDiagnostics(diagnostics, documents.files, flags, terminal);
  throw createInvalidError(command);
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
async function generateFirst({
  invocation: { terminal },
  project,
  folder,
  progress,
}: InitRun): Promise<Generation> {
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
async function scaffoldFirst({
  invocation,
  project,
  folder,
}: InitRun): Promise<ReturnType<typeof toFailure> | undefined> {
  const { flags, terminal } = invocation;
  const { framework, receiver = receiverFolder, authentication } = project;
  try {
    await runScaffold({
      ...invocation,
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
  { project, folder, directory }: InitRun,
  generation: Generation,
  hasReceiver: boolean,
): Promise<readonly string[]> {
  const { config, manager, framework, receiver } = project;
  const { install, run } = packageManagers[manager];
  const steps = directory === '.' ? [] : [`cd ${shellWord(directory)}`];
  if (generation.status === 'invalid') return [...steps, 'countersign generate'];
  const isNew = project.folder.packages === undefined;
  if (config.layout === 'folder') {
    const packages = [...describeMove(generation, folder), ...describeMissing(generation, folder)];
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
  if (!hasReceiver && receiver !== undefined)
    return [...steps, `countersign scaffold ${framework?.name ?? ''} ${receiver}`];
  return [...steps, isNew ? run('test') : packageManagers[manager].runIn(config.output, 'build')];
}

function describe(
  {
    creates,
    kept,
    notes,
    steps,
  }: {
    readonly creates: readonly NewFile[];
    readonly kept: readonly string[];
    readonly notes: readonly string[];
    readonly steps: readonly string[];
  },
  { project }: InitRun,
  { changes }: Generation,
  paint: Paint,
): string {
  const created = paint('green', 'created');
  const { config, receiver } = project;
  return `${[
    ...creates.map(({ path }) => `${created}  ${path}`),
    ...kept.map((path) => `${paint('yellow', 'kept')}     ${path}, which exists`),
    `${created}  ${config.output}/: ${count(changes.length, 'file')}`,
    ...(receiver === undefined ? [] : [`${created}  ${receiver}/`]),
    ...notes.map((line) => printable(line)),
    ...(steps.length === 0 ? [] : [`next: ${steps.map((step) => printable(step)).join(', ')}`]),
  ].join('\n')}\n`;
}
