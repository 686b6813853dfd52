import type { CliCommand } from '../command.ts';

/** `countersign generate`. */
export const generateCommand: CliCommand = {
  name: 'generate',
  summary: 'write the generated packages',
  description:
    'Reads the contract and writes the files that changed to the output folder. If the contract has errors, writes ' +
    'nothing and exits with 1.',
  options: [
    {
      name: '--watch',
      meaning:
        'keep running, and generate again when a file of the contract or the configuration changes',
    },
  ],
  examples: [
    ['countersign generate', 'with the configuration in this folder'],
    ['countersign generate --config api/countersign.config.json', 'with another configuration'],
    ['countersign generate --watch', 'while you write the contract'],
    ['countersign generate --json --quiet', 'for a program'],
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
