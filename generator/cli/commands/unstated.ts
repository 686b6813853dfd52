import { type CliCommand, defineCommand } from '../command.ts';

/** `countersign unstated`. */
export const unstated: CliCommand = defineCommand({
  description:
    'Lists the ledger: each question that the source document does not answer, its state, its choices, what the answer ' +
    'changes, its location, and the command that settles it.',
  examples: [['countersign unstated --json', 'the ledger as data']],
  syntax: (command) => command,
  run: async (invocation) => await (await import('../run-unstated.ts')).runUnstated(invocation),
});
