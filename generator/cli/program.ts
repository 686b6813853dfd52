import { Command } from 'commander';
import { toolkitVersion } from '../toolkit.ts';

/** What the flags say, the same for every command. */
export interface Flags {
  readonly config?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

export type CommandName = 'generate' | 'check' | 'unstated';

interface CommandPage {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
}

const pages: Readonly<Record<CommandName, CommandPage>> = {
  generate: {
    summary: 'bring the generated packages up to date',
    description:
      'Reads the contract and writes what changed below the output folder. With nothing changed it writes nothing. ' +
      'Ends with 1 where the contract has errors; nothing is written then.',
    examples: [
      ['countersign generate', 'with the configuration in this folder'],
      ['countersign generate --config api/countersign.config.json', 'with another one'],
      ['countersign generate --json --quiet', 'for a machine'],
    ],
  },
  check: {
    summary: 'tell what generate would change, and write nothing',
    description:
      'Does the whole work, compares the result with the disk and lists every file that is missing, out of date, ' +
      'edited by hand, no longer generated or an orphan, and what of the contract it comes from. ' +
      'Ends with 1 where there is any, or where package-lock.json does not list the generated packages.',
    examples: [
      ['countersign check', 'in CI, behind npm ci'],
      ['countersign check --json', 'the list as data'],
    ],
  },
  unstated: {
    summary: 'show what the contract leaves open',
    description:
      'Lists the ledger: each question that the source document does not answer, where it stands, what is assumed, ' +
      'and whether it is settled.',
    examples: [
      ['countersign unstated', 'the ledger'],
      ['countersign unstated --json', 'the ledger as data'],
    ],
  },
};

/**
 * The command line: what there is, what it takes, and its help. Ends no process: misuse and help are thrown as
 * commander's `CommanderError`.
 */
export function createProgram(
  run: (command: CommandName, flags: Flags) => Promise<void>,
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
    .option('--json', 'one JSON document on standard output')
    .option('-q, --quiet', 'say nothing but problems')
    .option('--verbose', 'show every note, every file, and the stack of an error')
    .option('--no-color', 'no colours (also: NO_COLOR, FORCE_COLOR)')
    .addHelpText(
      'after',
      examplesOf(Object.values(pages).flatMap(({ examples }) => examples.slice(0, 1))),
    )
    .addHelpText('after', '\nEnds with 0 when all is well, 1 for problems, 2 for misuse.')
    .exitOverride()
    .showHelpAfterError('Run with --help to see what there is.')
    .configureOutput({ writeOut: write.out, writeErr: write.error })
    .configureHelp({ showGlobalOptions: true });
  for (const [name, page] of Object.entries(pages)) {
    program
      .command(name)
      .summary(page.summary)
      .description(page.description)
      .helpOption('-h, --help', 'show this help')
      .addHelpText('after', examplesOf(page.examples))
      .action(async (_: unknown, command: Command) => {
        const unset = { json: false, quiet: false, verbose: false };
        await run(name as CommandName, { ...unset, ...command.optsWithGlobals<Flags>() });
      });
  }
  return program;
}

function examplesOf(examples: CommandPage['examples']): string {
  const width = Math.max(...examples.map(([command]) => command.length));
  const lines = examples.map(([command, meaning]) => `  ${command.padEnd(width)}  ${meaning}`);
  return `\nExamples:\n${lines.join('\n')}`;
}
