import type { Config } from './generator/config.ts';

const config: Config = {
  contract: { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml', overlays: [] },
  scope: '@instant-payment',
  output: 'generated',
  targets: ['contract', 'client', 'webhooks'],
};

export default config;
