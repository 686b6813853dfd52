import { frameworkChoices } from '../../tools/scaffold/frameworks.ts';
import { type CliCommand, scopeOption } from '../command.ts';

/** `countersign scaffold`. */
export const scaffoldCommand: CliCommand = {
  name: 'scaffold',
  summary: 'write an application that receives notifications, or add missing handlers',
  description:
    'Writes an application with a handler file for each notification, a test that delivers every example, and a README. ' +
    'The application is yours to edit. When the contract has new notifications, run the command again: it adds and ' +
    'registers the missing handlers, and changes nothing else. If that requires more than insertions, it writes ' +
    'nothing, reports why and where, and shows what to add by hand.',
  parameters: [
    {
      name: '<framework>',
      meaning: frameworkChoices,
    },
    { name: '<dir>', meaning: "the application's folder" },
  ],
  options: [
    { name: '--dry-run', meaning: 'show what would be written as a diff, and write nothing' },
    {
      name: '--authenticate <how>',
      meaning:
        'how deliveries are authenticated: shared-secret, or a signature of the contract by its name ' +
        '(default: the signature that the contract states for notifications, or else shared-secret)',
    },
    {
      name: '--answer <id=choice...>',
      meaning: 'the answer to an open question of the contract',
    },
    { name: '--all', meaning: 'also add handlers for what `otherwise.rest` handles' },
    scopeOption,
  ],
  examples: [
    ['countersign scaffold express apps/receiver', 'a new application, or its missing handlers'],
    ['countersign scaffold express apps/receiver --dry-run', 'what would be written'],
  ],
  async run(invocation) {
    const { runScaffold } = await import('../run-scaffold.ts');
    return await runScaffold(invocation);
  },
};
