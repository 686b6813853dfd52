import type { CliCommand } from '../command.ts';

/** `countersign init`. */
export const initCommand: CliCommand = {
  name: 'init',
  summary: 'start a project: a small contract, its packages, tests and CI',
  description:
    'Writes a project into an empty folder: a contract of one call and one signed notification, its configuration, ' +
    'an application that receives, tests, scripts and a step for CI; then generates its packages. Asks four ' +
    'questions, or takes the flags that answer them. All but the generated packages is yours to change.',
  parameters: [{ name: '[dir]', meaning: 'the folder (default: this one)' }],
  options: [
    { name: '--title <text>', meaning: 'what the service is called' },
    { name: '--scope <scope>', meaning: 'the npm scope of its packages, such as @acme' },
    {
      name: '--framework <name>',
      meaning:
        'what receives: node, express, fastify, koa, hono, nestjs, nextjs, aws-lambda, cloudflare or fetch',
    },
    { name: '--ci <name>', meaning: 'what checks each change: github, gitlab or none' },
    { name: '-y, --yes', meaning: 'ask nothing: what no flag says is as it is proposed' },
  ],
  examples: [
    ['countersign init', 'in an empty folder, with four questions'],
    ['countersign init shop --yes --framework express', 'in a new one, without'],
  ],
  async run(invocation) {
    const { runInit } = await import('../run-init.ts');
    return await runInit(invocation);
  },
};
