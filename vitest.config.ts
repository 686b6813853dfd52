import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  // Packages of this workspace are tested from source, by whichever of the two resolvers finds them.
  ssr: {
    resolve: {
      conditions: ['countersign-source', 'module', 'node', 'development|production'],
    },
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.all.test.ts', '**/node_modules/**'],
    execArgv: ['--conditions=countersign-source'],
    // Every core: the usual one less leaves one of two without work.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    setupFiles: ['test/limit-collection.ts'],
  },
});

export default config;
