import type { Config } from './generator/config/config.ts';

const config: Config = {
  contract: {
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
    overlays: [],
    workflows: ['spec/workflows/flows.yaml'],
  },
  scope: '@instant-payment',
  output: 'generated',
  license: 'MIT',
  targets: [
    'contract',
    'client',
    {
      use: 'webhooks',
      inbox: ['sqlite', 'postgres'],
      forward: ['sqs', 'rabbitmq'],
      deviations: true,
      replayStores: ['sqlite', 'postgres', 'redis'],
      telemetry: ['open-telemetry'],
      runtime: ['webhooks/client-certificate'],
    },
    'webhooks-node',
    'webhooks-express',
    'webhooks-fastify',
    'webhooks-koa',
    'webhooks-hono',
    'webhooks-nestjs',
    'webhooks-nextjs',
    'webhooks-aws-lambda',
    'webhooks-cloudflare',
    'reference',
    'openapi-types',
    'simulator',
  ],
  lint: {
    exceptions: [
      {
        rule: 'redocly/operation-4xx-response',
        at: 'openapi#/paths/~1token/post/responses',
        reason:
          'The source shows no response to a refused call; the ledger asks (error-responses).',
      },
      {
        rule: 'redocly/security-defined',
        at: 'asyncapi#/operations',
        reason:
          'The source does not say how a notification proves its origin; the ledger asks (notification-authentication).',
      },
      {
        rule: 'unbounded-number',
        at: 'asyncapi#/components/schemas/DecimalAmount',
        reason: 'The source gives amounts neither scale nor bounds; the ledger asks (amount-unit).',
      },
      {
        rule: 'redocly/info-license',
        at: 'openapi#/info',
        reason: 'The source states no licence of the interface.',
      },
    ],
  },
};

export default config;
