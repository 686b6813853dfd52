import type { CliCommand } from '../command.ts';

/** `countersign diff`. */
export const diffCommand: CliCommand = {
  name: 'diff',
  summary: 'report what a change of the contract breaks, and for whom',
  description:
    'Compares two contracts. Reports what changed and where, whom the change breaks and why, what they have to do, and ' +
    'which version each generated package needs. A contract is a git revision, a folder with the files of the ' +
    'configuration, or one document. The default of the head is the current contract of the configuration.',
  parameters: [
    { name: '<base>', meaning: 'the contract before' },
    { name: '[head]', meaning: 'the contract after' },
  ],
  options: [
    { name: '--fail-on <what>', meaning: 'exit with 1 if there are such changes: breaking, any' },
    { name: '--markdown', meaning: 'print the comment of a pull request' },
    { name: '--changeset <dir>', meaning: 'write a changeset into this folder' },
  ],
  examples: [
    ['countersign diff main', 'what this branch changes'],
    ['countersign diff v1.2.0 v2.0.0 --markdown', 'for a comment'],
    ['countersign diff old.yaml new.yaml', 'two documents, no configuration'],
    ['countersign diff origin/main --fail-on breaking', 'in CI'],
  ],
  async run(invocation) {
    const { runDiff } = await import('../run-diff.ts');
    return await runDiff(invocation);
  },
};
