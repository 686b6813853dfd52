import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

// The runtimes report each cause of a failure once in a process, and a replaced module is replaced for all files of a
// worker.
const isolated = globSync('test/**/*.test.ts').filter(
  (file) =>
    /^test[\\/]packages[\\/]/u.test(file) || readFileSync(file, 'utf8').includes('vi.mock('),
);

const config: ViteUserConfig = defineConfig({
  // Packages of this workspace are tested from source, by whichever of the two resolvers finds them.
  ssr: {
    resolve: {
      conditions: ['countersign-source', 'module', 'node', 'development|production'],
    },
  },
  test: {
    exclude: ['test/**/*.all.test.ts', '**/node_modules/**'],
    execArgv: ['--conditions=countersign-source'],
    // Every core: the usual one less leaves one of two without work.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    setupFiles: ['test/limit-collection.ts'],
    projects: [
      // A worker loads each module once for all files, which takes a third less time than once for each file.
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: isolated, isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
  },
});

export default config;
