import {
  type CliCommand,
  defineCommand,
  option,
  pairs,
  scopeOption,
} from 'countersign/companion/command';
import { adapterEngines, inboxStores } from 'countersign/companion/frameworks';
import {
  forwardFrameworkChoices,
  frameworkChoices,
  inboxFrameworkChoices,
} from '../scaffold/frameworks.ts';

/** `countersign scaffold`. */
export const command: CliCommand = defineCommand({
  description:
    'Writes an application with a handler file for each notification, a test that delivers every example, and a README. ' +
    'With the layout `folder`, writes the receiver alone, `webhooks.ts`. The files are yours to edit, and never written again. ' +
    'With --missing, prints stubs of the handlers that an application does not register, and exits with 1 if there are any. ' +
    'A kind that only `otherwise.rest` handles counts as missing. Handlers are found by their types, in all TypeScript files of ' +
    'the folder except tests.',
  examples: [
    ['countersign scaffold express apps/receiver --inbox sqlite', 'with an inbox and a worker'],
    ['countersign scaffold express apps/receiver --forward rabbitmq', 'with your own queue'],
    ['countersign scaffold --missing apps/receiver', 'the handlers that it lacks'],
  ],
  syntax: (program) =>
    program
      .argument('[framework]', frameworkChoices)
      .argument('[dir]', "the application's folder")
      .option(
        '--authenticate <how>',
        'how deliveries are authenticated: shared-secret, or a signature or secret of the contract by its name ' +
          '(default: that of the contract; required if it has none for notifications)',
      )
      .addOption(
        option(
          '--inbox <store>',
          'store deliveries before they are acknowledged, and handle them in a worker. ' +
            `With ${inboxFrameworkChoices}`,
        ).choices(inboxStores),
      )
      .addOption(
        option(
          '--forward <engine>',
          'put deliveries on a queue that you run before they are acknowledged, and handle them in a consumer. ' +
            `With ${forwardFrameworkChoices}`,
        )
          .choices(adapterEngines)
          .conflicts('inbox'),
      )
      .addOption(pairs('--answer <id=choice>', 'the answer to an open question of the contract'))
      .addOption(
        option(
          '--missing <dir>',
          'print the handlers that the application in this folder lacks',
        ).conflicts(['authenticate', 'inbox', 'forward', 'answer']),
      )
      .option(...scopeOption),
  run: async (invocation) =>
    await (await import('../scaffold/run-scaffold.ts')).runScaffold(invocation),
});
