import { Command } from 'commander';
import { toolkitVersion } from '../execution/toolkit.ts';
import type { CliCommand, Described, Flags, Invocation } from './command.ts';
import { commands } from './commands.ts';
import { createUnknownNameError } from '../tools/unknown-name-error.ts';

/**
 * Creates the parser of the command line, with all commands, their options and their help. It never exits the process:
 * usage errors and help are thrown as commander's `CommanderError`.
 */
export function createProgram(
  run: (command: CliCommand, invocation: Omit<Invocation, 'terminal'>) => Promise<void>,
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
    .addHelpText('after', examplesOf(commands.flatMap(({ examples }) => examples.slice(0, 1))))
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
  for (const command of commands) addCommand(program, command, run);
  addHelpCommand(program);
  return program;
}

/** Adds `help [command]`. Commander's own does not suggest the nearest name for an unknown command. */
function addHelpCommand(program: Command): void {
  program
    .command('help')
    .summary('show the help of a command')
    .description('Shows the help of a command, or the first page of help.')
    .helpOption('-h, --help', 'show this help')
    .argument('[command]', 'the name of the command')
    .action((name?: string) => {
      if (name === undefined) program.help();
      const names = ['help', ...commands.map((command) => command.name)];
      const named = program.commands.find((command) => command.name() === name);
      if (named === undefined) throw createUnknownNameError('command', name, names);
      named.help();
    });
}

function addCommand(
  program: Command,
  command: CliCommand,
  run: Parameters<typeof createProgram>[0],
): void {
  const { name, summary, description, parameters = [], options = [], examples } = command;
  const added = program
    .command(name)
    .summary(summary)
    .description(description)
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', examplesOf(examples));
  for (const parameter of parameters) added.argument(...parameter);
  for (const option of options) added.option(...option);
  added.action(async (...received: unknown[]) => {
    // A parameter that takes several values is received as a list.
    const values = received.slice(0, parameters.length).flat() as (string | undefined)[];
    const unset = { json: false, quiet: false, verbose: false };
    const flags = { ...unset, ...added.optsWithGlobals<Flags>() };
    await run(command, { command: name, flags, values, options: added.opts() });
  });
}

/** The width of help texts in columns, regardless of the terminal. */
const columns = 80;

/** Formats examples with the meaning beside each command, or below it if a line would exceed `columns`. */
function examplesOf(examples: readonly Described[]): string {
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
