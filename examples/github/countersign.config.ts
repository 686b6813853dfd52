import { createRequire } from 'node:module';
import { relative } from 'node:path';
import type { Config } from 'countersign';

const document = createRequire(import.meta.url).resolve(
  '@octokit/openapi-webhooks/generated/api.github.com.json',
);

const config: Config = {
  contract: {
    openapi: relative(import.meta.dirname, document),
    overlays: ['overlay.yaml'],
  },
  layout: 'folder',
  importExtension: '.ts',
  output: 'src/generated',
  targets: ['contract', 'webhooks', 'webhooks-node'],
  include: { events: ['ping', 'push', 'issues-opened', 'issues-reopened'] },
};

export default config;
