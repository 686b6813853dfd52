import { type CliCommand, defineCommand, json, scopeOption } from '../command.ts';

/** `countersign settle`. */
export const settle: CliCommand = defineCommand({
  description:
    "Writes the service operator's answers into an overlay, and shows the change. Uses the overlay in the configuration that " +
    'settles other entries, or writes a new one and adds it to the configuration. Replaces an earlier answer in its ' +
    'place. If the contract would have errors, such as answers that contradict each other, writes nothing and exits with 1.',
  examples: [
    [`countersign settle delivery-window='two days'`, 'without choices: a sentence'],
    ['countersign settle time-format=iso-8601 --dry-run', 'what would be written'],
    [
      `countersign settle clock-tolerance=one-minute --value 60 --meaning 'It may differ by a minute.'`,
      'an answer that is not among the choices',
    ],
  ],
  syntax: (command) =>
    command
      .argument(
        '<id=answer...>',
        'an entry of the ledger, and the name of a choice; a sentence if the entry has no choices',
      )
      .option('--dry-run', 'show the change as a diff, and write nothing')
      .option(
        '--overlay <file>',
        'the overlay for new answers; one that is not in the configuration is created',
      )
      .addOption(
        json(
          '--value <json>',
          'the value of a choice that requires one, or of an answer that is not among the choices',
        ),
      )
      .option('--meaning <text>', 'what this answer means, in a sentence')
      .option(...scopeOption),
  run: async (invocation) => await (await import('../run-settle.ts')).runSettle(invocation),
});
