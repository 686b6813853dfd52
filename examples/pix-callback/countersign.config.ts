import type { Config } from 'countersign';

const config: Config = {
  contract: { openapi: 'openapi.yaml', overlays: ['overlay.yaml', 'bank.overlay.yaml'] },
  layout: 'folder',
  importExtension: '.ts',
  output: 'src/generated',
  targets: ['contract', 'webhooks', 'webhooks-node'],
};

export default config;
