import {
  type CliCommand,
  defineCommand,
  integer,
  pairs,
  port,
  repeatable,
  scopeOption,
  without,
} from 'countersign/companion/command';
import { tlsOptions } from './tls-options.ts';

/** `countersign simulate`. */
export const command: CliCommand = defineCommand({
  description:
    'Answers calls as the contract states them, checks every parameter, body, token and signature, and reports what ' +
    'is wrong with a refused call. Sends notifications with the faults of real providers. Shows everything on a web page, ' +
    'the console. Runs until it is interrupted; with --workflow or --deliveries, exits when these have ended.',
  examples: [
    ['countersign simulate --workflow checkout --junit report.xml', 'a scenario, in CI'],
    [
      'countersign simulate --to http://127.0.0.1:3000 --deliveries 500 --fault all --seed 7',
      'a test of the receiver',
    ],
  ],
  syntax: (program) =>
    program
      .option('--to <url>', 'the receiver of notifications')
      .addOption(port('--port <number>', 'the port of the service (default: 4010; 0: any)'))
      .addOption(port('--console-port <number>', 'the port of the console (default: 4011; 0: any)'))
      .addOption(without('--no-console', 'start no console'))
      .addOption(
        integer(
          '--seed <number>',
          'the seed of all generated values and faults (default: 1)',
          0,
          2 ** 31 - 1,
        ),
      )
      .addOption(pairs('--answer <id=choice>', 'the answer to an open question of the contract'))
      .addOption(
        repeatable(
          '--fault <name=rate>',
          'a fault and its rate from 0 to 1, such as delayed=0.5; all: every fault',
        ),
      )
      .addOption(
        repeatable(
          '--workflow <id>',
          'run a workflow of the contract; several run one after the other',
        ),
      )
      .addOption(pairs('--input <name=value>', 'an input of the workflows'))
      .option('--proceed', 'continue after steps that the contract does not describe')
      .option('--junit <file>', 'write the outcome of the workflows as JUnit XML')
      .addOption(
        integer(
          '--deliveries <number>',
          'send this number of notifications, of all kinds, and exit',
          1,
          1_000_000,
        ),
      )
      .option('--journal <file>', 'keep everything in an SQLite file, across restarts')
      .addOption(
        pairs(
          '--retry <name=number>',
          'when a notification that is not acknowledged is sent again: attempts, firstDelayMs, factor, maxDelayMs, jitter ' +
            '(default: attempts=6 firstDelayMs=5000 factor=6 maxDelayMs=3600000 jitter=0.1; with --deliveries: attempts=3 firstDelayMs=1000 factor=5)',
        ),
      )
      .addOption(repeatable('--overlay <file>', 'apply a further overlay to the contract'))
      .addOption(repeatable('--workflow-file <file>', 'read a further Arazzo document'))
      .option('--signature <scheme>', 'sign notifications with this signature of the contract')
      .option('--no-signature', 'send notifications without a signature')
      .option('--dotenv <file>', 'read environment variables from this file, if there is one')
      .option(
        '--key-env <variable>',
        'the environment variable with the key of notifications, or with their secret: `user:password` of HTTP Basic, a bearer token, or a key in the query or a cookie (default: WEBHOOK_SECRET; generated and shown if not set)',
      )
      .addOption(
        pairs(
          '--header-env <name=variable>',
          'a header of notifications with the value of an environment variable (generated and shown if not set)',
        ),
      )
      .option(
        '--path-secret-env <variable>',
        'a secret segment behind the path of --to, with the value of an environment variable (generated and shown if not set)',
      )
      .addOption(
        pairs(
          '--credential-env <name=variable>',
          'a credential that the service accepts, which is in an environment variable (default: generated and shown)',
        ),
      )
      .option(
        '--public-url <url>',
        'what senders call, where a proxy changes the path: signatures cover it instead of the URL of --to (two parts: `<received>=<called>`)',
      )
      .option(...tlsOptions.cert)
      .option(...tlsOptions.key)
      .option(...tlsOptions.ca)
      .option(
        '--authority-file <file>',
        'where to write the certificate of the test authority, which issues the client certificate of notifications if there is no --client-cert',
      )
      .addOption(
        without(
          '--no-append-label',
          "do not append the path of a notification's label to that of the URL",
        ),
      )
      .option('--allow-remote', 'allow other machines than this one')
      .option(...scopeOption),
  run: async (invocation) =>
    await (await import('../simulate/run-simulate.ts')).runSimulate(invocation),
});
