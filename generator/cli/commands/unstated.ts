import { type CliCommand, defineCommand } from '../command.ts';

/** `countersign unstated`. */
export const unstated: CliCommand = defineCommand({
  description:
    'Lists the ledger, which has each question that the source document does not answer: first the questions to ask ' +
    'before going live, with their choices, what the answer changes, and the command that settles each. With --verbose, ' +
    'all of them so.',
  examples: [['countersign unstated --json', 'the ledger as data']],
  syntax: (command) => command,
  run: async (invocation) => await (await import('../run-unstated.ts')).runUnstated(invocation),
});
