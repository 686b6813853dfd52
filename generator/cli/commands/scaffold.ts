import type { CliCommand } from '../command.ts';

/** `countersign scaffold`. */
export const scaffoldCommand: CliCommand = {
  name: 'scaffold',
  summary: 'write a small application that receives, or add the handlers it lacks',
  description:
    'Writes an application with a handler file for each notification, a test that delivers every example and a page ' +
    'that says how to run it. It belongs to its user: run again after the contract grew, the command adds the ' +
    'handlers that are missing and registers them, and touches nothing else. Where it cannot do that by insertions ' +
    'alone it writes nothing, says why and where, and shows what to add by hand.',
  parameters: [
    {
      name: '<framework>',
      meaning: 'node, express, fastify, koa, hono, nestjs, nextjs, aws-lambda, cloudflare or fetch',
    },
    { name: '<dir>', meaning: "the application's folder" },
  ],
  options: [
    { name: '--dry-run', meaning: 'show as a diff what would be written, and write nothing' },
    {
      name: '--authenticate <how>',
      meaning:
        'how deliveries prove where they come from: shared-secret, or a signature of the contract by its name ' +
        '(default: the signature that the contract states for notifications, or else shared-secret)',
    },
    {
      name: '--answer <id=choice...>',
      meaning: 'what holds where the contract leaves a question open',
    },
    { name: '--all', meaning: 'add handlers also for what `otherwise.rest` takes' },
    { name: '--scope <scope>', meaning: 'which contract, where the configuration has several' },
  ],
  examples: [
    ['countersign scaffold express apps/receiver', 'a new application, or what it lacks'],
    ['countersign scaffold express apps/receiver --dry-run', 'what that would be'],
  ],
  async run(invocation) {
    const { runScaffold } = await import('../run-scaffold.ts');
    return await runScaffold(invocation);
  },
};
