import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rendererOf } from '../../../generator/emit/renderer.ts';
import { planApplication } from '../../../generator/tools/scaffold/application.ts';
import { frameworks } from '../../../generator/tools/scaffold/frameworks.ts';
import type { InboxStoreName } from '../../../generator/tools/scaffold/inbox.ts';
import { readSources, readText } from '../../../generator/tools/scaffold/read-application.ts';
import { planScaffold, type ScaffoldPlan } from '../../../generator/tools/scaffold/scaffold.ts';
import { writeApplication } from '../../../generator/tools/scaffold/write-application.ts';
import { templateFolder } from '../../../generator/targets/built-in.ts';
import { readTree, type Tree, writeTree } from '../../output/tree.ts';
import { readParcels } from './parcels.ts';
import { parseTreeDiff, type TreeChange } from './tree-diff.ts';

const contract = readParcels();

const folder = new URL('mangled/', import.meta.url);

/** The names of all applications that people have changed; each is a file of the folder `mangled`. */
export const mangledNames: readonly string[] = (await readdir(folder))
  .map((file) => file.replace(/\.diff$/u, ''))
  .toSorted();

/** The files that several of these applications have. */
export const sharedHandlers: Tree = parseTreeDiff(
  await readFile(new URL('../shared-handlers.diff', folder), 'utf8'),
  {},
).after;

/** Returns the file of such an application. */
export const mangledFile = (name: string): string => fileURLToPath(new URL(`${name}.diff`, folder));

/** Reads such an application, and what becomes of it. */
export async function readMangled(name: string): Promise<TreeChange> {
  return parseTreeDiff(await readFile(mangledFile(name), 'utf8'), sharedHandlers);
}

/** Brings the application in a folder up to the contract of parcels. */
export async function growParcels(
  folder: string,
  framework: string,
  {
    all = false,
    inbox,
  }: { readonly all?: boolean; readonly inbox?: InboxStoreName | undefined } = {},
): Promise<ScaffoldPlan> {
  const frameworkData = frameworks.find(({ name }) => name === framework);
  if (frameworkData === undefined) throw new TypeError(`There is no framework ${framework}.`);
  const application = planApplication(await contract, {
    framework: frameworkData,
    folder: 'receiver',
    scope: '@parcels',
    packageVersions: { [frameworkData.target]: '2.0.0', webhooks: '2.0.0' },
    hasSimulator: false,
    configuration: '../countersign.config.ts',
    authentication: 'shared-secret',
    answers: new Map(),
    ...(inbox === undefined ? {} : { inbox }),
  });
  const render = await rendererOf({ name: 'scaffold', templates: templateFolder('scaffold') });
  const present = {
    sources: await readSources(folder),
    readText: (path: string) => readText(folder, path),
  };
  const plan = await planScaffold(present, application, render, all);
  await writeApplication(folder, plan);
  return plan;
}

/** The framework that a mangled application is made for. */
export function frameworkOf(name: string): string {
  if (name.startsWith('nest-')) return 'nestjs';
  return name === 'worker' ? 'cloudflare' : 'node';
}

/** What a mangled application becomes: its tree, read from a copy. */
export async function growMangled(
  name: string,
): Promise<{ readonly plan: ScaffoldPlan; readonly tree: Tree; readonly again: ScaffoldPlan }> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-mangled-'));
  try {
    await writeTree(folder, (await readMangled(name)).before);
    const plan = await growParcels(folder, frameworkOf(name));
    const tree = await readTree(folder);
    const again = await growParcels(folder, frameworkOf(name));
    return { plan, tree, again };
  } finally {
    await rm(folder, { recursive: true });
  }
}
