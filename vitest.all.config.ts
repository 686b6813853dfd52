import type { ViteUserConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** Every test, those included that install runtimes of their own and take minutes. */
const all: ViteUserConfig = {
  ...config,
  test: {
    ...config.test,
    exclude: ['**/node_modules/**'],
    hookTimeout: 600_000,
    env: { COUNTERSIGN_COLLECTION_MS: '900000', COUNTERSIGN_TESTS: 'all' },
  },
};

export default all;
