import type { CliCommand } from '../command.ts';

/** `countersign check`. */
export const checkCommand: CliCommand = {
  name: 'check',
  summary: 'tell what generate would change, and write nothing',
  description:
    'Does the whole work, compares the result with the disk and lists every file that is missing, out of date, ' +
    'edited by hand, no longer generated or an orphan, and what of the contract it comes from. ' +
    'Ends with 1 where there is any, or where package-lock.json does not list the generated packages.',
  examples: [
    ['countersign check', 'in CI, behind npm ci'],
    ['countersign check --json', 'the list as data'],
  ],
  async run(invocation) {
    const { runGeneration } = await import('../run-generation.ts');
    return await runGeneration(invocation, 'check');
  },
};
