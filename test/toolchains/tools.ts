import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PackageManager } from '../../generator/execution/package-managers.ts';
import { install, repository } from '../packaging/project.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const modules = join(here, 'node_modules');

/** The commands of the package managers, as files that `node` runs; Bun is a program of its own. */
const programs: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['npm'],
  pnpm: [process.execPath, join(modules, 'pnpm/bin/pnpm.mjs')],
  yarn: [process.execPath, join(modules, '@yarnpkg/cli-dist/bin/yarn.js')],
  bun: [join(modules, `@oven/bun-${process.platform}-${process.arch}/bin/bun`)],
};

/** A folder in which a package manager runs, with the registry of the test and caches of its own. */
export interface Shop {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A registry on this machine that has the packages of this repository, and passes on requests for others. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** The file with the settings of npm that name it. */
  readonly npmrc: string;
}

/** Installs the package managers and the registry. */
export async function installTools(): Promise<void> {
  await install(here);
}

/**
 * Starts a registry, with nothing published.
 * @param folder for its files
 */
export async function startRegistry(folder: string): Promise<Registry> {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { cwd: repository });
  const port = await freePort();
  const config = {
    storage: './storage',
    uplinks: { upstream: { url: stdout.trim(), maxage: '60m', timeout: '60s' } },
    packages: {
      countersign: { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    max_body_size: '100mb',
    log: { type: 'stdout', format: 'json', level: 'error' },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  const npmrc = join(folder, 'npmrc');
  // npm publishes only with a token. This registry accepts any.
  await writeFile(
    npmrc,
    `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=any\naudit=false\nfund=false\n`,
  );
  const words = [
    join(modules, 'verdaccio/bin/verdaccio'),
    '--config',
    join(folder, 'config.json'),
    '--listen',
    `127.0.0.1:${port}`,
  ];
  const server = spawn(process.execPath, words, { cwd: folder, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/`;
  await untilAnswered(`${url}-/ping`, 60_000);
  return {
    url,
    npmrc,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await ended;
    },
  };
}

/** Returns the environment of processes that know only this registry, and keep their files in a folder. */
export function environmentOf({ url, npmrc }: Registry, folder: string): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|yarn_|bun_|pnpm_)|^(?:INIT_CWD|NODE_OPTIONS|NODE_PATH)$/iu.test(name),
  );
  // `npm run` adds the commands of this repository, among them that of the toolkit from source.
  const paths = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !path.startsWith(repository) && !/[\\/]node_modules[\\/]/u.test(path));
  return {
    ...Object.fromEntries(variables),
    PATH: [join(folder, 'bin'), dirname(process.execPath), ...paths].join(delimiter),
    HOME: join(folder, 'home'),
    npm_config_userconfig: npmrc,
    npm_config_registry: url,
    npm_config_cache: join(folder, 'npm-cache'),
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_NPM_MINIMAL_AGE_GATE: '0',
    YARN_ENABLE_TELEMETRY: '0',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_GLOBAL_FOLDER: join(folder, 'yarn'),
    BUN_INSTALL_CACHE_DIR: join(folder, 'bun-cache'),
    BUN_CONFIG_REGISTRY: url,
    PNPM_CONFIG_REGISTRY: url,
    PNPM_CONFIG_STORE_DIR: join(folder, 'pnpm-store'),
    // The packages of the test were published a moment ago.
    PNPM_CONFIG_MINIMUM_RELEASE_AGE: '0',
  };
}

/** Writes a command for each package manager into the folder `bin`, which is on the path of an environment. */
export async function linkManagers(folder: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await mkdir(join(folder, 'home'), { recursive: true });
  for (const [name, words] of Object.entries(programs)) {
    if (name === 'npm') continue;
    const text = `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`;
    await writeFile(join(folder, 'bin', name), text, { mode: 0o755 });
  }
}

/** Runs a command line in a folder; rejects with what it printed where it fails. */
export async function runLine(line: string, { folder, environment }: Shop): Promise<string> {
  try {
    const options = { cwd: folder, env: environment, maxBuffer: 1 << 26, timeout: 500_000 };
    const { stdout, stderr } = await run('/bin/sh', ['-c', line], options);
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${line} failed\n${stdout}\n${stderr}`, { cause: error });
  }
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

async function untilAnswered(url: string, withinMs: number): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    if (Date.now() > end) throw new Error(`${url} does not answer.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
