import { type CliCommand, scopeOption } from '../command.ts';

/** `countersign send`. */
export const sendCommand: CliCommand = {
  name: 'send',
  summary: 'deliver an example of a notification to a running endpoint',
  description:
    'Posts an example of a notification, as the service would, and shows the response. Sends to this machine only, ' +
    'unless --allow-remote is given. Secrets come from environment variables and are never shown. Exits with 0 if the ' +
    'response is a success (2xx).',
  parameters: [{ name: '<event>', meaning: 'the kind of the notification' }],
  options: [
    { name: '--to <url>', meaning: 'the endpoint' },
    { name: '--example <name>', meaning: 'which of its examples (default: the first)' },
    { name: '--data <json>', meaning: 'members that replace those of the example, at any depth' },
    {
      name: '--label-path',
      meaning: "append the path of the notification's label to that of the URL",
    },
    {
      name: '--param <name=value...>',
      meaning: "a parameter of the label's path (default: its name)",
    },
    { name: '--header <line...>', meaning: 'a header, as `name: value`' },
    {
      name: '--header-env <name=variable...>',
      meaning: 'a header with a secret value, which is in an environment variable',
    },
    {
      name: '--sign [scheme]',
      meaning:
        'sign with a signature of the contract (default, if the contract states one for the notification)',
    },
    { name: '--no-sign', meaning: 'send without a signature' },
    {
      name: '--secret-env <variable>',
      meaning: 'the environment variable with the key (default: WEBHOOK_SECRET)',
    },
    {
      name: '--answer <id=choice...>',
      meaning: 'the answer to an open question about the signature',
    },
    { name: '--timeout <ms>', meaning: 'how long to wait for the response (default: 10000)' },
    { name: '--allow-remote', meaning: 'allow other machines than this one' },
    scopeOption,
  ],
  examples: [
    ['countersign send orderShipped --to http://127.0.0.1:3000/webhooks', 'the first example'],
    [
      'countersign send orderShipped --to http://[::1]:3000 --header-env x-webhook-secret=WEBHOOK_SECRET',
      'with a secret from the environment',
    ],
    [
      `countersign send orderShipped --to http://localhost:3000 --sign --data '{"weight": 2}'`,
      'signed, and slightly different',
    ],
  ],
  async run(invocation) {
    const { runSend } = await import('../run-send.ts');
    return await runSend(invocation);
  },
};
