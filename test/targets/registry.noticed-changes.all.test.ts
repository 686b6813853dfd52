import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { companions } from '../../generator/companions.ts';
import type { Config } from '../../generator/config/config.ts';
import type * as generation from '../../generator/generate.ts';
import type * as runRecord from '../../generator/cache/toolkit-hash.ts';
import type * as unchanged from '../../generator/output/unchanged.ts';
import type * as registry from '../../generator/targets/registry.ts';
import { targetNames } from '../../generator/targets/registry.ts';
import type * as templatesOfTargets from '../../generator/targets/template-files.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { repository } from './emit-project.ts';

const config: Config = {
  contract: { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' },
  scope: '@copy',
  output: 'generated',
  targets: targetNames,
};

/** The folders of companions with a target. */
const ofCompanions = companions
  .filter(({ targets }) => targets.length > 0)
  .map((companion) => companion.package.replace('@countersign/', 'packages/'));

/** The modules of their targets, relative to the repository. */
const targetsOfCompanions = companions
  .flatMap(({ targets }) => targets)
  .map(({ resolve }) => relative(repository, fileURLToPath(resolve())));

/** A toolkit that may be damaged: its sources and templates copied, its dependencies as they are. */
async function copyToolkit(): Promise<string> {
  const copy = await temporaryFolder();
  const isSource = (path: string): boolean =>
    !/[\\/](?:dist|node_modules|tsconfig\.json)$/.test(path);
  // The page shares files with the consoles, which are changed here too.
  const shared = ['packages/console/package.json', 'packages/console/page'];
  for (const room of [
    'generator',
    'templates',
    'spec',
    'packages/runtime',
    ...ofCompanions,
    ...shared,
  ])
    await cp(join(repository, room), join(copy, room), { recursive: true, filter: isSource });
  const modules = join(repository, 'node_modules');
  const scoped = join('node_modules', '@countersign');
  await mkdir(join(copy, scoped), { recursive: true });
  for (const [from, to, names] of [
    [
      modules,
      'node_modules',
      (await readdir(modules)).filter((name) => !/^@?countersign$/u.test(name)),
    ],
    [copy, scoped, ['templates']],
    [
      join(copy, 'packages'),
      scoped,
      ['console', 'runtime', ...ofCompanions.map((folder) => basename(folder))],
    ],
  ] as const) {
    for (const name of names) await symlink(join(from, name), join(copy, to, name), 'junction');
  }
  await symlink(join(copy, 'generator'), join(copy, 'node_modules/countersign'), 'junction');
  return copy;
}

/** The files that a module imports, lazily or not, and so on; those of its own folder and beside. */
async function importedBy(
  path: string,
  visitedPaths: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  let all: ReadonlySet<string> = new Set([...visitedPaths, path]);
  const text = await readFile(path, 'utf8');
  // Types alone decide nothing.
  const modules = /(?:(?<!import type [^;]*)from|import\()\s*'(\.[^']+\.ts)'/g;
  for (const [, specifier = ''] of text.matchAll(modules)) {
    const imported = join(dirname(path), specifier);
    // A target prints imports of modules of the output.
    if (!all.has(imported) && existsSync(imported)) all = await importedBy(imported, all);
  }
  return all;
}

/** Changes a file while `look` runs. */
async function changeFor(path: string, look: () => unknown): Promise<void> {
  const text = await readFile(path);
  await appendFile(path, '\n\n');
  await look();
  await writeFile(path, text);
}

test('a change to any module that a target imports, to any template and to the runtime is noticed by the next run', async () => {
  const folder = await copyToolkit();
  const load = async (path: string): Promise<unknown> =>
    await import(pathToFileURL(join(folder, 'generator', path)).href);
  const { generate } = (await load('generate.ts')) as typeof generation;
  const { findUnchanged } = (await load('output/unchanged.ts')) as typeof unchanged;
  expect((await generate(config, { folder })).status).toBe('written');
  const { hashToolkitFiles } = (await load('cache/toolkit-hash.ts')) as typeof runRecord;
  const imported = await importedBy(join(folder, 'generator/targets/registry.ts'));
  const importedByCompanions: string[] = [];
  for (const target of targetsOfCompanions)
    importedByCompanions.push(...(await importedBy(join(folder, target))));
  const { resolveTargets } = (await load('targets/registry.ts')) as typeof registry;
  const { templateFiles } = (await load('targets/template-files.ts')) as typeof templatesOfTargets;
  const templates = new Set((await resolveTargets(targetNames)).flatMap(templateFiles));
  expect([...imported].map((path) => basename(path))).toContain('escape.ts');
  expect(importedByCompanions.map((path) => basename(path))).toContain('coverage.ts');
  const templateNames = [...templates].map((path) => basename(path));
  expect(templateNames).toEqual(expect.arrayContaining(['LICENSE.hbs', 'base.css.hbs']));
  // The code that a process has loaded stays as it is, so that the next one alone can notice a change of it.
  const toolkitHash = hashToolkitFiles();
  const data = join(folder, 'generator/contract/vocabulary/schema.json');
  for (const path of [...imported, data])
    await changeFor(path, () => expect(hashToolkitFiles(), path).not.toBe(toolkitHash));
  expect(hashToolkitFiles()).toBe(toolkitHash);
  expect(templates).not.toEqual([]);
  const written = await readdir(join(folder, 'generated/runtime'), { recursive: true });
  const runtime = written.flatMap((path) =>
    path.endsWith('.ts') ? [path.slice('src/'.length)] : [],
  );
  expect(runtime).toEqual(expect.arrayContaining(['base/index.ts', 'webhooks/receiver.ts']));
  const documents = ['LICENSE', 'package.json', 'signing/README.md', 'webhooks/HOSTS.md'];
  const ofRuntime = [...runtime, ...documents].map((path) =>
    join(folder, 'packages/runtime', path),
  );
  for (const path of [...templates, ...ofRuntime, ...importedByCompanions]) {
    expect(await findUnchanged(config, { folder }), `before ${path}`).toBeDefined();
    await changeFor(path, async () =>
      expect(await findUnchanged(config, { folder }), path).toBeUndefined(),
    );
  }
}, 240_000);
