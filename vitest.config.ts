import { globSync, readFileSync } from 'node:fs';
import {
  defineConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config';

// A replaced module is replaced for all files of a worker, the runtimes warn of each cause of a failure once in a process,
// and blocks and loads are counted only of modules that are loaded later.
const isolated = globSync('test/**/*.test.ts').filter((file) =>
  /vi\.mock\(|registerHooks\(|\/counted-work\.ts|emitWarning|process, 'warning'|process\.on\('warning'/u.test(
    readFileSync(file, 'utf8'),
  ),
);

type ProjectConfig = NonNullable<TestProjectInlineConfiguration['test']>;

/** The endings of test files that a run leaves out, or has alone. */
interface Selection {
  readonly without: readonly string[];
  readonly only?: string;
}

/** Configures the tests whose names have one of the endings. */
export function configure(
  { without, only = '' }: Selection,
  test: ViteUserConfig['test'] = {},
): ViteUserConfig {
  const exclude = excluded(without);
  const ending = `${only}.test.ts`;
  return configureProjects(
    [
      // A worker loads each module once for all files, which takes a third less time than once for each file.
      {
        name: 'shared',
        include: [`test/**/*${ending}`],
        exclude: [...exclude, ...isolated],
        isolate: false,
        // The hooks that replace modules: only isolated files do that.
        experimental: { nodeLoader: false },
      },
      {
        name: 'isolated',
        include: isolated.filter((file) => file.endsWith(ending)),
        exclude,
      },
    ],
    test,
  );
}

/**
 * Configures a project for each companion, whose tests are among the files that its patterns describe, with none of the
 * endings. One file can test several companions.
 */
export function configureCompanions(
  companions: Readonly<Record<string, readonly string[]>>,
  without: readonly string[],
): ViteUserConfig {
  const exclude = excluded(without);
  return configureProjects(
    Object.entries(companions).map(([name, patterns]) => {
      const include = globSync(
        patterns.map((pattern) => `test/${pattern}`),
        { exclude },
      );
      return { name, include, exclude, isolate: include.some((file) => isolated.includes(file)) };
    }),
  );
}

function excluded(endings: readonly string[]): string[] {
  return ['**/node_modules/**', ...endings.map((ending) => `test/**/*${ending}.test.ts`)];
}

function configureProjects(
  projects: readonly ProjectConfig[],
  test: ViteUserConfig['test'] = {},
): ViteUserConfig {
  return {
    test: {
      // Node loads the modules as they are, as in use, and caches them: `vi.resetModules` changes nothing.
      experimental: { viteModuleRunner: false },
      // Packages of this workspace are tested from source.
      execArgv: ['--conditions=countersign-source'],
      // More than there are cores: a quarter of a worker's time is waiting for other processes.
      maxWorkers: '150%',
      testTimeout: 60_000,
      hookTimeout: 120_000,
      globalSetup: 'test/prepare-run.ts',
      setupFiles: ['test/load-tls.ts', 'test/limit-collection.ts'],
      // A test whose assertions are in a loop would pass when the loop does not run. A second, which polls have
      // otherwise, is too short on a slow machine.
      expect: { requireAssertions: true, poll: { timeout: 30_000 } },
      ...test,
      projects: projects.map((project) => ({ extends: true, test: project })),
    },
  };
}

/** The tests that are run after every change: ten minutes on two cores. */
const config: ViteUserConfig = defineConfig(configure({ without: ['.slow', '.all'] }));

export default config;
