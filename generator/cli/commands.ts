import { companions, type CompanionCommand, importCompanion } from '../companions.ts';
import type { CliCommand, Example, Invocation } from './command.ts';
import type { ExitCode } from './failure.ts';

/** A row of the table of commands. */
export interface CommandRow {
  readonly name: string;
  /** What the command does, on the first page of help. */
  readonly summary: string;
  /** An example for the first page of help, and the first of the command's own page. */
  readonly example: Example;
  /** Loads the command, when it is called or its page is shown. */
  readonly load: () => Promise<CliCommand>;
}

/** The commands of the core, in the order in which help lists them. */
const coreCommands: readonly CommandRow[] = [
  {
    name: 'generate',
    summary: 'write the generated packages',
    example: ['countersign generate', 'with the configuration in this folder'],
    load: async () => (await import('./commands/generate.ts')).generate,
  },
  {
    name: 'check',
    summary: 'list what generate would change, and write nothing',
    example: ['countersign check', 'in CI, after npm ci'],
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'unstated',
    summary: 'show the open questions of the contract',
    example: ['countersign unstated', 'the ledger'],
    load: async () => (await import('./commands/unstated.ts')).unstated,
  },
  {
    name: 'settle',
    summary: 'answer open questions of the contract',
    example: ['countersign settle time-format=unix-seconds retry-id=keep', 'two answers'],
    load: async () => (await import('./commands/settle.ts')).settle,
  },
  {
    name: 'explain',
    summary:
      'show where a generated name comes from, what a line generates, or a part of the model',
    example: ['countersign explain isParcel', 'where a guard comes from'],
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'lint',
    summary: 'check the contract for problems that a reviewer should see',
    example: ['countersign lint', 'the contract of this folder'],
    load: async () => (await import('./commands/lint.ts')).lint,
  },
];

/** Every command, in the order in which help lists them. */
export const commands: readonly CommandRow[] = [
  ...commandsOfCompanions('first'),
  ...coreCommands,
  ...commandsOfCompanions('last'),
];

/**
 * Runs another command, such as one of another companion, with arguments and options as it declares them.
 * @throws MissingCompanionError if its companion is not installed
 */
export async function runCommand(
  name: string,
  invocation: Omit<Invocation, 'command'>,
): Promise<ExitCode> {
  const row = commands.find((command) => command.name === name);
  if (row === undefined) throw new RangeError(`There is no command ${name}.`);
  return await (await row.load()).run({ ...invocation, command: name });
}

function commandsOfCompanions(position: CompanionCommand['position']): readonly CommandRow[] {
  return companions
    .flatMap((companion) => companion.commands)
    .filter((command) => command.position === position)
    .map((command) => ({
      ...command,
      load: async () => (await importCompanion<{ readonly command: CliCommand }>(command)).command,
    }));
}
