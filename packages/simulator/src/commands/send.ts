import {
  type CliCommand,
  defineCommand,
  milliseconds,
  option,
  pairs,
  repeatable,
  scopeOption,
} from 'countersign/companion/command';
import { tlsOptions } from './tls-options.ts';

/** `countersign send`. */
export const command: CliCommand = defineCommand({
  description:
    'With --to, posts an example of a notification to an endpoint, as the service would, and shows the response. Where ' +
    'the contract states what identifies an event, each delivery is another event. Sends to this machine only, unless ' +
    '--allow-remote is given. Secrets come from environment variables and are never shown. Exits with 0 if the ' +
    'response is a success (2xx). Without --to, finds the simulator that `countersign simulate` runs for this project, ' +
    'lets it send the notification to its receiver, and reports the outcome. Exits with 0 if the receiver ' +
    'acknowledged it.',
  examples: [
    [
      'countersign send orderShipped --to http://[::1]:3000 --header-env x-webhook-secret=WEBHOOK_SECRET',
      'with a secret from the environment',
    ],
    [
      `countersign send orderShipped --to http://localhost:3000 --sign --data '{"weight": 2}'`,
      'signed, and slightly different',
    ],
    ['countersign send orderShipped --fault duplicate', 'twice, by the running simulator'],
  ],
  syntax: (program) =>
    program
      .argument('<event>', 'the kind of the notification')
      .option('--to <url>', 'the endpoint (default: the running simulator sends to its receiver)')
      .option('--example <name>', 'which of its examples (default: the first)')
      .option(
        '--media-type <type>',
        'with --to: in which of its media types (default: the one that the contract lists first)',
      )
      .option(
        '--data <json>',
        'members that replace those of the example, at any depth: JSON, or @file for the content of a file',
      )
      .addOption(pairs('--parameter <name=value>', "a parameter of the label's path"))
      .addOption(
        option('--payload <json>', 'without --to: the whole payload: JSON, or @file').conflicts(
          'to',
        ),
      )
      .addOption(
        option(
          '--sample',
          'a payload that is made from the schema, in place of an example',
        ).conflicts('example'),
      )
      .addOption(
        repeatable('--fault <name>', 'without --to: add a fault to this delivery').conflicts('to'),
      )
      .addOption(
        option(
          '--allow-invalid',
          'without --to: send a payload that violates the contract',
        ).conflicts('to'),
      )
      .addOption(
        option(
          '--console <url>',
          'without --to: the address of the console of the simulator, if several run',
        ).conflicts('to'),
      )
      .option(
        '--append-label',
        "with --to: append the path of the notification's label to that of the URL; a parameter has its value in the body, or its name, unless --parameter gives it",
      )
      .addOption(pairs('--header <line>', 'with --to: a header, as `name: value`', ':'))
      .addOption(
        pairs(
          '--header-env <name=variable>',
          'with --to: a header with a secret value, which is in an environment variable',
        ),
      )
      .option(
        '--path-secret-env <variable>',
        'with --to: a secret segment behind its path, which is in an environment variable',
      )
      .option(
        '--signature <scheme>',
        'with --to: sign with this signature of the contract (default: the one that the contract states for the notification)',
      )
      .addOption(
        option(
          '--sign',
          'with --to: sign with the only signature of the contract, also if the contract does not state it for the notification',
        ).conflicts('signature'),
      )
      .option(
        '--no-signature',
        'with --to: send without a signature, and without the secret of --key-env',
      )
      .option(
        '--key-env <variable>',
        'with --to: the environment variable with the key of the signature, or with the secret that the contract states: `user:password` of HTTP Basic, a bearer token, or a key in the query or a cookie (default: WEBHOOK_SECRET)',
      )
      .option(
        '--public-url <url>',
        'with --to: what senders call, where a proxy changes the path: signatures cover it instead of the URL of --to (two parts: `<received>=<called>`)',
      )
      .addOption(
        pairs(
          '--answer <id=choice>',
          'with --to: the answer to an open question about the signature or the identity of events',
        ),
      )
      .option(tlsOptions.cert[0], `with --to: ${tlsOptions.cert[1]}`)
      .option(tlsOptions.key[0], `with --to: ${tlsOptions.key[1]}`)
      .option(tlsOptions.ca[0], `with --to: ${tlsOptions.ca[1]}`)
      .addOption(
        milliseconds(
          '--timeout-ms <number>',
          'with --to: how long to wait for the response (default: 10000)',
        ),
      )
      .option('--allow-remote', 'with --to: allow other machines than this one')
      .option(scopeOption[0], `with --to: ${scopeOption[1]}`),
  run: async (invocation) => await (await import('../send/run-send.ts')).runSend(invocation),
});
