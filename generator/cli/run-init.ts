import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { contractQuestionNames } from '../tools/init/contract/contract-questions.ts';
import { receiverFolder, renderProject } from '../tools/init/project-files.ts';
import { chooseManager, type InitAnswers, questions } from '../tools/init/questions.ts';
import { toolkitPackage } from '../tools/init/toolkit-package.ts';
import { packageManagers } from '../execution/package-managers.ts';
import { rendererOf } from '../emit/renderer.ts';
import { systemErrorCode } from '../emit/output-error.ts';
import { shellWord } from '../execution/shell-word.ts';
import { writeApplication } from '../tools/scaffold/write-application.ts';
import { templateFolder } from '../targets/built-in.ts';
import { answerQuestions, optionName } from './ask.ts';
import { CommandError } from '../tools/command-error.ts';
import { type Result, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import type { InitInvocation } from './init-options.ts';
import { runGeneration } from './run-generation.ts';
import { runScaffold } from './run-scaffold.ts';
import { type Paint } from '../diagnostics/paint.ts';
import { printable } from '../diagnostics/printable.ts';

/** The names that a folder may contain and still count as empty, so that a new repository is accepted. */
const allowed: ReadonlySet<string> = new Set(['.git']);

/** The number of existing names that a message lists. */
const maxShownNames = 10;

/**
 * Writes a new project into an empty folder, generates its packages, and reports the next steps. With `--contract`, the
 * project is that of an existing contract, and the folder may have files.
 */
export async function runInit(invocation: InitInvocation): Promise<ExitCode> {
  const { values, flags, options, terminal } = invocation;
  if (options.contract !== undefined) {
    const { runInitContract } = await import('./run-init-contract.ts');
    return await runInitContract(invocation);
  }
  assertWithoutContractOptions(invocation);
  const directory = values[0] ?? '.';
  const folder = resolve(terminal.folder, directory);
  await assertEmpty(folder, directory);
  const agent = terminal.environment['npm_config_user_agent'];
  const manager = chooseManager(options.manager, agent);
  const answers = { ...(await answerQuestions(questions, invocation)), manager } as InitAnswers;
  const commands = packageManagers[answers.manager];

  const render = await rendererOf({ name: 'init', templates: templateFolder('init') });
  const toolkit = toolkitPackage(folder);
  const creates = await renderProject(answers, render, toolkit.range);
  await writeApplication(folder, { creates, edits: [] });

  const within = {
    flags: { json: false, quiet: true, verbose: flags.verbose, color: flags.color },
    options: {},
    terminal: { ...terminal, folder, out: () => undefined },
  };
  const generated = await runGeneration({ ...within, command: 'generate', values: [[]] }, 'write');
  if (generated !== exitCodes.ok) return generated;
  await runScaffold({
    ...within,
    command: 'scaffold',
    values: [answers.framework, receiverFolder],
  });

  const { missing } = toolkit;
  if (missing !== undefined && !flags.json)
    terminal.error(
      `The tarball of the toolkit is missing: run \`npm run pack\` in ${printable(dirname(dirname(missing)))} before \`${commands.install}\`.\n`,
    );
  const created = creates.map(({ path }) => path);
  const result: Result = {
    exitCode: exitCodes.ok,
    data: { folder: directory, ...answers, created, receiver: receiverFolder },
    describe: (paint) => (flags.quiet ? '' : describe(created, directory, commands, paint)),
  };
  return await showResults([result], invocation, join(folder, 'countersign.config.ts'));
}

/** @throws CommandError `usage` for an option about a contract that is not given */
function assertWithoutContractOptions({ options }: InitInvocation): void {
  const asked: readonly string[] = questions.map(({ name }) => name);
  const misplaced = ([...contractQuestionNames, 'contractFolder', 'overlay'] as const).find(
    (name) => !asked.includes(name) && options[name] !== undefined,
  );
  if (misplaced !== undefined)
    throw new CommandError('usage', `${optionName(misplaced)} requires --contract.`);
}

/** @throws CommandError `not-empty`, with the names found; `not-a-folder` if the folder cannot be read */
async function assertEmpty(folder: string, directory: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw new CommandError('not-a-folder', `${directory} cannot be read as a folder.`, {
      cause: error,
    });
  });
  const inTheWay = names.filter((name) => !allowed.has(name)).toSorted();
  if (inTheWay.length === 0) return;
  const shown = inTheWay.slice(0, maxShownNames).map(printable).join(', ');
  const more =
    inTheWay.length > maxShownNames ? `, and ${inTheWay.length - maxShownNames} more` : '';
  throw new CommandError(
    'not-empty',
    `${printable(directory)} is not empty: ${shown}${more}. Nothing was written. For a contract that exists, give its files with --contract.`,
  );
}

function describe(
  created: readonly string[],
  directory: string,
  { install, run }: Pick<(typeof packageManagers)['npm'], 'install' | 'run'>,
  paint: Paint,
): string {
  const mark = paint('green', 'created');
  const lines = [...created, `${receiverFolder}/`, 'generated/'].map((path) => `${mark}  ${path}`);
  const folder = directory === '.' ? '' : `cd ${printable(shellWord(directory))}, `;
  return `${[...lines, `next: ${folder}${install}, ${run('test')}`].join('\n')}\n`;
}
