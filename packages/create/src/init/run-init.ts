import { dirname, resolve } from 'node:path';
import { type Result, showResults } from 'countersign/companion/configuration';
import { packageManagers } from 'countersign/companion/frameworks';
import { shellWord } from 'countersign/companion/options';
import {
  CommandError,
  type ExitCode,
  exitCodes,
  type Paint,
  printable,
} from 'countersign/companion/terminal';
import { describeNext } from '../describe-next.ts';
import { answerQuestions, optionName } from './ask.ts';
import { contractQuestionNames, type InitInvocation } from './init-options.ts';
import { listNames } from './list-names.ts';
import { chooseManager, type InitAnswers, questions, receiverFolder } from './questions.ts';

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
  // Questions are asked before what writes a project is loaded.
  const { createProject } = await import('./create-project.ts');
  const { file, created, missing } = await createProject(folder, answers);
  const commands = packageManagers[manager];
  if (missing !== undefined && !flags.json)
    terminal.error(
      `The tarball of the toolkit is missing: run \`npm run pack\` in ${printable(dirname(dirname(missing)))} before \`${commands.install}\`.\n`,
    );
  const paths = created.map(({ path }) => path);
  const result: Result = {
    exitCode: exitCodes.ok,
    data: { folder: directory, ...answers, created: paths, receiver: receiverFolder },
    describe: (paint) => (flags.quiet ? '' : describe(paths, directory, commands, paint)),
  };
  return await showResults([result], invocation, file);
}

/** @throws CommandError `usage` for an option about a contract that is not given */
function assertWithoutContractOptions({ options }: InitInvocation): void {
  const asked: readonly string[] = questions.map(({ name }) => name);
  const misplaced = (
    ['perspective', ...contractQuestionNames, 'contractFolder', 'overlay'] as const
  ).find((name) => !asked.includes(name) && options[name] !== undefined);
  if (misplaced !== undefined)
    throw new CommandError('usage', `${optionName(misplaced)} requires --contract.`);
}

/** @throws CommandError `not-empty`, with the names found; `not-a-folder` if the folder cannot be read */
async function assertEmpty(folder: string, directory: string): Promise<void> {
  const names = await listNames(folder, printable(directory));
  const inTheWay = names.filter((name) => !allowed.has(name)).toSorted();
  if (inTheWay.length === 0) return;
  const shown = inTheWay.slice(0, maxShownNames).map(printable).join(', ');
  const more =
    inTheWay.length > maxShownNames ? `, and ${inTheWay.length - maxShownNames} more` : '';
  throw new CommandError(
    'not-empty',
    `${printable(directory)} is not empty: ${shown}${more}. Nothing was written. For an existing contract, give its files with --contract.`,
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
  const steps = [
    ...(directory === '.' ? [] : [`cd ${shellWord(directory)}`]),
    install,
    run('test'),
  ];
  return `${[...lines, ...describeNext(steps)].join('\n')}\n`;
}
