import type { CliCommand, Example } from '../../generator/cli/command.ts';
import { commands } from '../../generator/cli/commands.ts';
import { createProgram } from '../../generator/cli/program.ts';

type Program = ReturnType<typeof createProgram>;

/** A command with its arguments and options, as help prints them. */
interface CommandSyntax {
  readonly command: CliCommand;
  readonly examples: readonly Example[];
  readonly terms: readonly (readonly [term: string, meaning: string])[];
  readonly options: Program['options'];
  readonly arguments: Program['registeredArguments'];
}

/** Returns what a command of the table takes. */
export async function readSyntax(name: string): Promise<CommandSyntax> {
  const row = commands.find((candidate) => candidate.name === name);
  if (row === undefined) throw new Error(`There is no command ${name}.`);
  const command = await row.load();
  const program = createProgram(async () => undefined, { out: () => {}, error: () => {} });
  // Its help loads a command, and ends with an error of commander.
  await program.parseAsync([name, '--help'], { from: 'user' }).catch(() => undefined);
  const declared = program.commands.find((candidate) => candidate.name() === name);
  if (declared === undefined) throw new Error(`The program has no command ${name}.`);
  return {
    command,
    examples: [row.example, ...(command.examples ?? [])],
    terms: [
      ...declared.registeredArguments.map(
        (argument) => [argument.name(), argument.description] as const,
      ),
      ...declared.options.map(({ flags, description }) => [flags, description] as const),
    ],
    options: declared.options,
    arguments: declared.registeredArguments,
  };
}
