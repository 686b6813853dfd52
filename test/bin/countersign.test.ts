import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { repository } from '../targets/emit-project.ts';

const execute = promisify(execFile);
const bin = join(repository, 'generator/bin');
const entry = join(bin, 'countersign.cjs');

interface Run {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function run(node: string, parameters: readonly string[], folder: string): Promise<Run> {
  try {
    const { stdout, stderr } = await execute(node, [...parameters], { cwd: folder });
    return { code: 0, out: stdout, error: stderr };
  } catch (failure) {
    const { code, stdout, stderr } = failure as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, error: stderr };
  }
}

/** Runs the command on this Node, which reports to be of another version. */
async function runAs(version: string, parameters: readonly string[], folder: string): Promise<Run> {
  const preload = join(await temporaryFolder(), 'preload.cjs');
  await writeFile(
    preload,
    `const versions = { ...process.versions, node: ${JSON.stringify(version)} };
Object.defineProperty(process, 'versions', { value: versions });
`,
  );
  return await run(process.execPath, ['--require', preload, entry, ...parameters], folder);
}

/** The Node of every folder on the path that is older than what the toolkit runs on. */
async function olderNodes(): Promise<readonly string[]> {
  const nodePaths = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path));
  const versions = await Promise.all(
    [...new Set(nodePaths)].map(async (path) => {
      const { stdout } = await execute(path, ['--version']);
      return { path, major: Number.parseInt(stdout.slice(1), 10) };
    }),
  );
  return versions.filter(({ major }) => major < 22).map(({ path }) => path);
}

const refusal =
  /^countersign requires Node \^22\.19\.0 \|\| >=24\.0\.0, and this is Node (\d+\.\d+\.\d+)\. Install a newer Node \(https:\/\/nodejs\.org\), or one for this project alone, `npm install --save-dev node@24`, and try again\.\n$/u;

describe('the command', () => {
  it.each(['12.22.12', '18.20.8', '20.20.2', '22.18.0', '23.11.1'])(
    'refuses Node %s in one sentence and writes nothing',
    async (version) => {
      const folder = await temporaryFolder();
      const { code, out, error } = await runAs(version, ['init', 'shop', '--yes'], folder);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(refusal.exec(error)?.[1]).toBe(version);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it.each(['22.19.0', '22.23.2', '24.0.0', '26.10.0', '100.0.0'])(
    'runs on Node %s',
    async (version) => {
      const { code, out } = await runAs(version, ['--version'], repository);
      expect({ code, out }).toEqual({ code: 0, out: '0.1.0\n' });
    },
  );

  // test/packaging/toolkit.all.test.ts does the same with a Node 18 that it installs.
  it('refuses every older Node of this machine', async () => {
    for (const node of await olderNodes()) {
      const folder = await temporaryFolder();
      const { code, error } = await run(node, [entry, 'init', 'shop', '--yes'], folder);
      expect(code).toBe(1);
      expect(error).toMatch(refusal);
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('passes on the exit code of the command line', async () => {
    const { code, error } = await run(process.execPath, [entry, 'genrate'], repository);
    expect(code).toBe(2);
    expect(error).toContain('genrate');
  });
});

it.each(['countersign.cjs', 'require-node.cjs'])(
  '%s has only syntax that Node 12 can parse',
  async (file) => {
    const text = await readFile(join(bin, file), 'utf8');
    // esbuild rewrites syntax that the target does not have. `import()` is parsed since Node 10.
    const supported = { 'dynamic-import': true };
    const print = async (target: string): Promise<string> =>
      (await transform(text, { target, format: 'cjs', platform: 'node', supported })).code;
    expect(await print('node12.0')).toBe(await print('esnext'));
  },
);

it('an older Node cannot import the library either', async () => {
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
    await import('countersign').then(
      () => console.log('imported'),
      (error) => console.log(error.message),
    );`;
  const { out } = await run(
    process.execPath,
    ['--conditions=countersign-source', '--input-type=module', '--eval', script],
    repository,
  );
  expect(out).toMatch(refusal);
});
