import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree } from '../output/tree.ts';
import { install } from '../packaging/project.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const cli = fileURLToPath(new URL('../../generator/cli.ts', import.meta.url));
const turbo = join(here, 'node_modules/.bin/turbo');
const run = promisify(execFile);
const outputs = ['packages', 'apps/desk/src/generated', 'apps/desk/dist'];

beforeAll(() => install(here), 300_000);

interface Monorepo {
  readonly folder: string;
  /** Generates, and builds the application; answers with what Turborepo took from its cache, by task. */
  build(): Promise<Readonly<Record<string, string>>>;
  edit(path: string, change: (text: string) => string): Promise<void>;
}

/** The repository of the document, with this toolkit in place of the published one. */
async function createMonorepo(): Promise<Monorepo> {
  const folder = await temporaryFolder();
  await cp(join(here, 'monorepo'), folder, { recursive: true });
  await rename(join(folder, 'gitignore'), join(folder, '.gitignore'));
  const command = join(folder, 'node_modules/.bin/countersign');
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  await chmod(command, 0o755);
  // Turborepo asks git what is ignored, and git has an answer from the first commit on.
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  const commit = [...author, 'commit', '--quiet', '--message=Begin'];
  for (const step of [['init', '--quiet'], ['add', '--all'], commit]) {
    await run('git', step, { cwd: folder });
  }
  const call = async (...more: readonly string[]): Promise<string> => {
    const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
    const { stdout } = await run(turbo, ['run', 'build', '--filter=desk', ...more], {
      cwd: folder,
      env: environment,
    });
    return stdout;
  };
  return {
    folder,
    async build() {
      const plan = JSON.parse(await call('--dry=json')) as {
        readonly tasks: readonly { taskId: string; cache: { status: string } }[];
      };
      await call();
      return Object.fromEntries(
        plan.tasks
          .filter(({ taskId }) => taskId === '//#generate' || taskId === 'desk#build')
          .map(({ taskId, cache }) => [taskId, cache.status]),
      );
    },
    async edit(path, change) {
      const text = await readFile(join(folder, path), 'utf8');
      await writeFile(join(folder, path), change(text));
    },
  };
}

const missed = { '//#generate': 'MISS', 'desk#build': 'MISS' };
const hit = { '//#generate': 'HIT', 'desk#build': 'HIT' };

describe('two contracts of one configuration, in a repository with Turborepo', () => {
  test('are not generated again where nothing changed, and come back from the cache', async () => {
    const { folder, build } = await createMonorepo();
    expect(await build()).toEqual(missed);
    const before = await Promise.all(outputs.map((path) => readTree(join(folder, path))));
    expect(Object.keys(before[0] ?? {})).toContain('client/src/index.ts');
    expect(Object.keys(before[1] ?? {})).toContain('contract/index.ts');
    expect(await build()).toEqual(hit);
    for (const path of outputs) await rm(join(folder, path), { recursive: true });
    await rm(join(folder, 'node_modules/.cache/countersign'), { recursive: true });
    expect(await build()).toEqual(hit);
    const after = await Promise.all(outputs.map((path) => readTree(join(folder, path))));
    expect(after).toEqual(before);
  });

  test('are generated again where a contract or the configuration changed, and where nothing else did', async () => {
    const { folder, build, edit } = await createMonorepo();
    await build();
    await edit('contracts/loans/openapi.yaml', (text) =>
      text.replaceAll('Loan:', 'Lending:').replaceAll('/Loan', '/Lending'),
    );
    expect(await build()).toEqual(missed);
    const types = await readFile(join(folder, 'apps/desk/dist/types.json'), 'utf8');
    expect(types).toBe('["lending.ts"]');
    await writeFile(join(folder, 'NOTES.md'), 'Nothing of this is generated from.\n');
    expect(await build()).toEqual(hit);
    await edit('countersign.config.json', (text) => text.replace('@books', '@library'));
    expect(await build()).toEqual(missed);
  });
});
