import type { CliCommand } from '../command.ts';

/** `countersign generate`. */
export const generateCommand: CliCommand = {
  name: 'generate',
  summary: 'bring the generated packages up to date',
  description:
    'Reads the contract and writes what changed below the output folder. With nothing changed it writes nothing. ' +
    'Ends with 1 where the contract has errors; nothing is written then.',
  options: [
    {
      name: '--watch',
      meaning:
        'stay, and generate again whenever a file of the contract or the configuration changes',
    },
  ],
  examples: [
    ['countersign generate', 'with the configuration in this folder'],
    ['countersign generate --config api/countersign.config.json', 'with another one'],
    ['countersign generate --watch', 'while you write the contract'],
    ['countersign generate --json --quiet', 'for a machine'],
  ],
  async run(invocation) {
    if (invocation.options['watch'] === true) {
      const { runWatch } = await import('../run-watch.ts');
      return await runWatch(invocation);
    }
    const { runGeneration } = await import('../run-generation.ts');
    return await runGeneration(invocation, 'write');
  },
};
