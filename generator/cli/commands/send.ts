import type { CliCommand } from '../command.ts';

/** `countersign send`. */
export const sendCommand: CliCommand = {
  name: 'send',
  summary: 'deliver an example of a notification to a running endpoint',
  description:
    'Posts an example of the contract, as its sender would, and shows what came back. Goes to this machine only, ' +
    'whatever the name of the host says, unless it is allowed to go elsewhere. Secrets come from the environment and ' +
    'are shown nowhere. Ends with 0 where the answer is a success (2xx).',
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
      meaning: 'a header whose value is secret and stands in a variable of the environment',
    },
    {
      name: '--sign [scheme]',
      meaning:
        'sign with a signature of the contract (default where the contract states one for the notification)',
    },
    { name: '--no-sign', meaning: 'do not' },
    {
      name: '--secret-env <variable>',
      meaning: 'where the key of the signature stands (default: WEBHOOK_SECRET)',
    },
    {
      name: '--answer <id=choice...>',
      meaning: 'what holds where the contract leaves open how to sign',
    },
    { name: '--timeout <ms>', meaning: 'how long to wait for the answer (default: 10000)' },
    { name: '--allow-remote', meaning: 'let it go to other machines' },
    { name: '--scope <scope>', meaning: 'which contract, where the configuration has several' },
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
