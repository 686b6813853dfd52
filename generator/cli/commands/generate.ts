import { type CliCommand, defineCommand, repeatable } from '../command.ts';

/** `countersign generate`. */
export const generate: CliCommand = defineCommand({
  description:
    'Reads the contract and writes the files that changed to the output folder. If the contract has errors, writes ' +
    'nothing and exits with 1. With the files of a contract, needs no configuration: writes source code into a folder.',
  examples: [
    ['countersign generate --config api/countersign.config.json', 'with another configuration'],
    ['countersign generate --watch', 'while you write the contract'],
    [
      'countersign generate api.yaml --output docs --target reference',
      'the page of a document, without a configuration',
    ],
    ['countersign generate --json --quiet', 'for a program'],
  ],
  syntax: (command) =>
    command
      .argument(
        '[file...]',
        'an OpenAPI or AsyncAPI document, or one of each (default: those of the configuration)',
      )
      .option(
        '--output <dir>',
        'with files: the folder for generated files only (default: generated)',
      )
      .option(
        '--contract-folder <dir>',
        'with files: the folder that references must not leave (default: the deepest folder with all documents)',
      )
      .addOption(
        repeatable(
          '--target <name>',
          'with files: what to generate, such as client, webhooks-node or reference (default: all that the contract has, without its page)',
        ),
      )
      .option(
        '--watch',
        'keep running, and generate again when a file of the contract or the configuration changes',
      ),
  run: async (invocation) =>
    invocation.options.watch === true
      ? await (await import('../run-watch.ts')).runWatch(invocation)
      : await (await import('../run-generation.ts')).runGeneration(invocation, 'write'),
});
