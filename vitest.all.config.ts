import type { ViteUserConfig } from 'vitest/config';
import { reportFailures } from './test/report-failures.ts';
import { configure } from './vitest.config.ts';

/** Every test, those included that install runtimes of their own and take minutes. */
const all: ViteUserConfig = configure(
  { without: [] },
  {
    // Hosts and toolchains use every core themselves.
    maxWorkers: '100%',
    hookTimeout: 600_000,
    reporters: ['default', reportFailures],
    env: { COUNTERSIGN_COLLECTION_MS: '900000', COUNTERSIGN_TESTS: 'all' },
  },
);

export default all;
