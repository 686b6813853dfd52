import { frameworkChoices } from '../../tools/scaffold/frameworks.ts';
import type { CliCommand } from '../command.ts';

/** `countersign init`. */
export const initCommand: CliCommand = {
  name: 'init',
  summary: 'start a project: a small contract, its packages, tests and CI',
  description:
    'Writes a project into an empty folder: a contract with one operation and one signed notification, its ' +
    'configuration, an application that receives notifications, tests, scripts and a step for CI. Then generates its ' +
    'packages. Asks four questions, unless flags answer them. Edit everything except the generated packages.',
  parameters: [{ name: '[dir]', meaning: 'the folder (default: this one)' }],
  options: [
    { name: '--title <text>', meaning: 'the name of the service' },
    { name: '--scope <scope>', meaning: 'the npm scope of its packages, such as @acme' },
    {
      name: '--framework <name>',
      meaning: `the framework of the receiver: ${frameworkChoices}`,
    },
    { name: '--ci <name>', meaning: 'the CI that checks each change: github, gitlab or none' },
    { name: '-y, --yes', meaning: 'ask no questions: accept the proposed answers' },
  ],
  examples: [
    ['countersign init', 'in an empty folder, with four questions'],
    ['countersign init shop --yes --framework express', 'in a new folder, without questions'],
  ],
  async run(invocation) {
    const { runInit } = await import('../run-init.ts');
    return await runInit(invocation);
  },
};
