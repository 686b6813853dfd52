import type { Config } from './generator/config.ts';

const config: Config = {
  contract: { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml', overlays: [] },
  scope: '@instant-payment',
  output: 'generated',
  targets: [
    'contract',
    'client',
    'webhooks',
    'webhooks-node',
    'webhooks-express',
    'webhooks-fastify',
    'webhooks-koa',
    'webhooks-hono',
    'webhooks-nestjs',
    'webhooks-nextjs',
    'webhooks-aws-lambda',
    'webhooks-cloudflare',
  ],
};

export default config;
