import type { CliCommand } from '../command.ts';

/** `countersign check`. */
export const checkCommand: CliCommand = {
  name: 'check',
  summary: 'list what generate would change, and write nothing',
  description:
    'Generates everything, compares the result with the output folder, and lists every file that is missing, out of ' +
    'date, edited by hand, no longer generated or an orphan, with the part of the contract that it comes from. ' +
    'Exits with 1 if there is such a file, or if package-lock.json does not list the generated packages.',
  examples: [
    ['countersign check', 'in CI, after npm ci'],
    ['countersign check --json', 'the list as data'],
  ],
  async run(invocation) {
    const { runGeneration } = await import('../run-generation.ts');
    return await runGeneration(invocation, 'check');
  },
};
