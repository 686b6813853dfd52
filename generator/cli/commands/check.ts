import { type CliCommand, defineCommand } from '../command.ts';

/** `countersign check`. */
export const check: CliCommand = defineCommand({
  description:
    'Generates everything, compares the result with the output folder, and lists every file that is missing, out of ' +
    'date, edited by hand, no longer generated or an orphan, with the part of the contract that it comes from. ' +
    'Exits with 1 if there is such a file, or if package-lock.json does not list the generated packages.',
  examples: [['countersign check --json', 'the list as data']],
  syntax: (command) => command,
  run: async (invocation) =>
    await (
      await import('../run-generation.ts')
    ).runGeneration({ ...invocation, values: [[]] }, 'check'),
});
