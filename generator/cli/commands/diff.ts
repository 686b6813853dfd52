import type { CliCommand } from '../command.ts';

/** `countersign diff`. */
export const diffCommand: CliCommand = {
  name: 'diff',
  summary: 'tell what a change of the contract means, and to whom',
  description:
    'Compares two contracts: what changed, where, whom it breaks and why, what they have to do, and how the version ' +
    'of each generated package has to grow. What callers send and what receivers get break in opposite ways. ' +
    'A contract is a git revision, a folder with the files of the configuration, or one document; ' +
    'left out, the head is what the configuration has now.',
  parameters: [
    { name: '<base>', meaning: 'the contract before' },
    { name: '[head]', meaning: 'the contract after' },
  ],
  options: [
    { name: '--fail-on <what>', meaning: 'end with 1 where there is any: breaking, any' },
    { name: '--markdown', meaning: 'as the comment of a pull request' },
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
