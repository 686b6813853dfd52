import { type CliCommand, defineCommand, option } from 'countersign/companion/command';

/** `countersign diff`. */
export const command: CliCommand = defineCommand({
  description:
    'Compares two contracts. Reports what changed and where, whom the change breaks and why, what they have to do, and ' +
    'which version each generated package needs. A contract is a git revision, a folder with the files of the ' +
    'configuration, or one document. The default of the head is the current contract of the configuration.',
  examples: [
    ['countersign diff v1.2.0 v2.0.0 --markdown', 'for a comment'],
    ['countersign diff old.yaml new.yaml', 'two documents, no configuration'],
    ['countersign diff origin/main --fail-on breaking', 'in CI'],
  ],
  syntax: (program) =>
    program
      .argument('<base>', 'the contract before')
      .argument('[head]', 'the contract after')
      .addOption(
        option('--fail-on <what>', 'exit with 1 if there are such changes').choices([
          'breaking',
          'any',
        ] as const),
      )
      .option('--markdown', 'print the comment of a pull request')
      .option('--changeset <dir>', 'write a changeset into this folder'),
  run: async (invocation) => await (await import('../run-diff.ts')).runDiff(invocation),
});
