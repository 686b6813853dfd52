import { Command } from 'commander';
import { toolkitVersion } from '../execution/toolkit.ts';
import type { CliCommand, Example, Flags, Invocation } from './command.ts';
import { type CommandRow, commands } from './commands.ts';

/** Runs a command with what the command line states. */
export type Run = (command: CliCommand, invocation: Omit<Invocation, 'terminal'>) => Promise<void>;

/**
 * Creates the parser of the command line. The arguments and options of a command are loaded when it is called. It never
 * exits the process: usage errors and help are thrown as commander's `CommanderError`.
 */
export function createProgram(
  run: Run,
  write: { readonly out: (text: string) => void; readonly error: (text: string) => void },
): Command {
  const program = new Command('countersign')
    .description('From a hand-written contract to typed, validated packages.')
    .version(toolkitVersion(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .option(
      '-c, --config <file>',
      'the configuration (default: countersign.config.* in this folder)',
    )
    .option('--json', 'print one JSON document to standard output')
    .option('-q, --quiet', 'print only problems')
    .option('--verbose', 'show every warning and note, every file, and the stack of an error')
    .option('--no-color', 'no colours (also: NO_COLOR, FORCE_COLOR)')
    .addHelpText('after', examplesOf(commands.map(({ example }) => example)))
    .addHelpText(
      'after',
      '\nExits with 0 for success, 1 for problems, and 2 for an invalid command line.',
    )
    .exitOverride()
    .showHelpAfterError('Run with --help to see all commands and options.')
    .configureOutput({
      writeOut: write.out,
      writeErr: write.error,
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
    })
    .configureHelp({ showGlobalOptions: true });
  const load = new Map(
    commands.map((row) => {
      const added = addCommand(program, row);
      return [row.name, async () => await addSyntax(added, row, run)] as const;
    }),
  );
  program.hook('preSubcommand', async (_, called) => await load.get(called.name())?.());
  addHelpCommand(program, async (name) => await load.get(name)?.());
  return program;
}

/** Adds `help [command]`. Commander's own does not suggest the nearest name for an unknown command. */
function addHelpCommand(program: Command, load: (name: string) => Promise<void>): void {
  program
    .command('help')
    .summary('show the help of a command')
    .description('Shows the help of a command, or the first page of help.')
    .helpOption('-h, --help', 'show this help')
    .argument('[command]', 'the name of the command')
    .action(async (name?: string) => {
      if (name === undefined) program.help();
      const names = ['help', ...commands.map((command) => command.name)];
      const named = program.commands.find((command) => command.name() === name);
      if (named === undefined) {
        const { createUnknownNameError } = await import('../tools/unknown-name-error.ts');
        throw createUnknownNameError('command', name, names);
      }
      await load(name);
      named.help();
    });
}

function addCommand(program: Command, { name, summary }: CommandRow): Command {
  return program.command(name).summary(summary).helpOption('-h, --help', 'show this help');
}

/** Loads a command, and adds its arguments, options and help to that of the program. */
async function addSyntax(added: Command, row: CommandRow, run: Run): Promise<void> {
  const command = await row.load();
  const { description, examples = [], syntax } = command;
  added.description(description).addHelpText('after', examplesOf([row.example, ...examples]));
  // Both are the one class of commander, whose own types have neither arguments nor options.
  syntax(added as unknown as Parameters<typeof syntax>[0]);
  added.action(async () => {
    const unset = { json: false, quiet: false, verbose: false };
    const flags = { ...unset, ...added.optsWithGlobals<Flags>() };
    const { processedArgs: values } = added;
    await run(command, { command: row.name, flags, values, options: added.opts() });
  });
}

/** The width of help texts in columns, regardless of the terminal. */
const columns = 80;

/** Formats examples with the meaning beside each command, or below it if a line would exceed `columns`. */
function examplesOf(examples: readonly Example[]): string {
  const width = Math.max(...examples.map(([command]) => command.length));
  const beside = examples.map(([command, meaning]) => `  ${command.padEnd(width)}  ${meaning}`);
  const lines = beside.every((line) => line.length <= columns)
    ? beside
    : examples.map(([command, meaning]) => `  ${foldCommand(command)}\n      ${meaning}`);
  return `\nExamples:\n${lines.join('\n')}`;
}

/** Folds a command line into lines of at most `columns` characters that a shell still accepts. */
function foldCommand(command: string): string {
  const lines: string[] = [];
  for (const word of command.match(/'[^']*'|\S+/gu) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 5 <= columns)
      lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(last === undefined ? word : `    ${word}`);
  }
  return lines.join(' \\\n  ');
}
