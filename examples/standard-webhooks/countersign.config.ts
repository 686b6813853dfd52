import type { Config } from 'countersign';

const config: Config = {
  contract: { asyncapi: 'asyncapi.yaml', overlays: ['overlay.yaml'] },
  layout: 'folder',
  importExtension: '.ts',
  output: 'src/generated',
  targets: ['contract', 'webhooks', 'webhooks-hono'],
};

export default config;
