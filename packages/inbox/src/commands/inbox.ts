import {
  argument,
  type CliCommand,
  defineCommand,
  integer,
  option,
  port,
  repeatable,
} from 'countersign/companion/command';
import { inboxActions, inboxStates } from '../inbox-actions.ts';

const filters = ['id', 'state', 'kind', 'key', 'receivedAfter', 'receivedBefore', 'failedAfter'];

/** `countersign inbox`. */
export const command: CliCommand = defineCommand({
  description:
    'Reads and changes the store of an inbox, also while its application runs. `list`, `stats` and `audit` read it. ' +
    '`show` shows one event: why it failed, and what it waits for; its payload is hidden unless --reveal is given. ' +
    '`export` writes one line of JSON for each event; payloads only with --payloads. `retry` makes failed and dead ' +
    'events claimable now, with new attempts. `replay --again` does the same for events that were handled: their ' +
    'handlers run again. `discard` removes events from the queue; only a command that names such an event alone ' +
    'retries it. Without --yes, these three only show what they ' +
    'would change, unless events are named. Reveals and changes are recorded with --by. `console` does this on a web ' +
    'page of this machine, until it is interrupted.',
  examples: [
    ['countersign inbox list --store inbox.db --state dead', 'the dead letters'],
    ['countersign inbox retry --store inbox.db --state dead', 'what a retry would change'],
    ['countersign inbox retry --store inbox.db --state dead --yes', 'the retry'],
    ['countersign inbox export --store inbox.db --state dead > dead.jsonl', 'without payloads'],
    ['countersign inbox show 0199a1-0 --store inbox.db --reveal', 'one event with its payload'],
    ['countersign inbox stats --store env:DATABASE_URL', 'an inbox in Postgres'],
  ],
  syntax: (program) =>
    program
      .addArgument(argument('<action>', 'what to do').choices(inboxActions))
      .argument('[event]', 'the identifier of one event')
      .option('--store <place>', 'the SQLite file, the URL of a Postgres database, or env:VARIABLE')
      .option('--schema <name>', 'the schema of the tables in Postgres (default: public)')
      .addOption(repeatable('--id <id>', 'the event with this identifier'))
      .addOption(option('--state <state>', 'events in a state').choices(inboxStates))
      .option('--kind <kind>', 'events of a kind')
      .option('--key <key>', 'events with an order key')
      .option('--received-after <time>', 'events that were received at an ISO 8601 time or later')
      .option('--received-before <time>', 'events that were received before an ISO 8601 time')
      .option(
        '--failed-after <time>',
        'events whose last attempt failed at an ISO 8601 time or later',
      )
      .addOption(
        option('--all', 'every event, where no other option selects events').conflicts(filters),
      )
      .option('--again', 'also replay events that were handled')
      .option('--reveal', 'show the payload of the event')
      .option('--payloads', 'export payloads, which contain personal data')
      .option('--by <name>', 'the name to record (default: the user of the operating system)')
      .addOption(
        integer(
          '--page-size <number>',
          'how many events or records to list (default: 50)',
          1,
          10_000,
        ),
      )
      .option('--after <place>', 'continue a list where a page ended, or after an event')
      .addOption(port('--port <number>', 'the port of the console (default: 0, any)'))
      .option('-y, --yes', 'change the events, instead of showing which ones'),
  run: async (invocation) => await (await import('../run-inbox.ts')).runInbox(invocation),
});
