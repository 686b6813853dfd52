import { type CliCommand, defineCommand, option, repeatable } from 'countersign/companion/command';
import { packageManagerNames } from 'countersign/companion/frameworks';
import { frameworkChoices } from '../scaffold/frameworks.ts';

/** `countersign init`. Values of most options answer a question, which validates them. */
export const command: CliCommand = defineCommand({
  description:
    'Writes a project into an empty folder: a contract with one operation and one signed notification, its ' +
    'configuration, an application that receives notifications, tests, scripts and a step for CI. Then generates its ' +
    'packages. Asks four questions, unless flags answer them. Edit everything except the generated packages.\n\n' +
    'With --contract, writes the configuration for an existing contract, and overlays with the facts that it lacks: how ' +
    'to tell its notifications apart, how they are authenticated, and which credentials calls carry. Then generates the ' +
    'code. Existing files are kept. If the contract has errors, writes nothing and exits with 1.',
  examples: [
    ['countersign init shop --yes --framework express', 'in a new folder, without questions'],
    ['countersign init --contract openapi.yaml', 'for an existing contract'],
    ['countersign init --contract openapi.yaml --overlay changes.yaml', 'with an existing overlay'],
  ],
  syntax: (program) =>
    program
      .argument('[dir]', 'the folder (default: this one)')
      .addOption(option('--title <text>', 'the name of the service').conflicts('contract'))
      .option('--scope <scope>', 'the npm scope of its packages, such as @acme')
      .option('--framework <name>', `the framework of the receiver: ${frameworkChoices}`)
      .option('--ci <name>', 'the CI that checks each change: github, gitlab or none')
      .addOption(
        repeatable(
          '--contract <file>',
          'an existing OpenAPI or AsyncAPI document; with another --contract, one of each',
        ),
      )
      .addOption(
        repeatable(
          '--overlay <file>',
          'with --contract: an existing overlay of its documents; several apply in their order',
        ),
      )
      .option(
        '--contract-folder <dir>',
        'with --contract: the folder that its references must not leave (default: the deepest with all of its files)',
      )
      .option(
        '--perspective <side>',
        'with --contract: the side that the documents are written from: service (default) or integrator',
      )
      .option('--layout <layout>', 'with --contract: folder, for one application, or packages')
      .addOption(
        repeatable(
          '--target <name>',
          'with --contract: what to generate (default: all that the contract has)',
        ),
      )
      .option('--output <dir>', 'with --contract: the folder for generated files only')
      .option(
        '--kinds-by <what>',
        'with --contract: what decides the kind of a notification: contract (its values, examples and schemas), header:<name>, member:<name>, path or none',
      )
      .option(
        '--signature <form>',
        'with --contract: how deliveries prove their sender: stated, shared-secret, secret, hmac-hex, hmac-hex-prefixed, hmac-base64, timestamped, versioned or standard-webhooks',
      )
      .option(
        '--signature-header <name>',
        'with --signature: the header of the proof; of a secret also query:<name> or cookie:<name>',
      )
      .option(
        '--credentials <form>',
        'if the contract declares none: the credentials of calls: none, bearer, basic, api-key, or a security scheme of the contract',
      )
      .option('--credentials-header <name>', 'with --credentials api-key: its header')
      .addOption(
        option('--manager <name>', 'the package manager (default: the one that runs this)').choices(
          packageManagerNames,
        ),
      )
      .option('-y, --yes', 'ask no questions: accept the proposed answers'),
  run: async (invocation) => await (await import('../init/run-init.ts')).runInit(invocation),
});
