import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rendererOf } from '../../../generator/emit/collect-files.ts';
import { planApplication } from '../../../generator/tools/scaffold/application.ts';
import { frameworks } from '../../../generator/tools/scaffold/frameworks.ts';
import { readSources, readText } from '../../../generator/tools/scaffold/read-application.ts';
import { planScaffold, type ScaffoldPlan } from '../../../generator/tools/scaffold/scaffold.ts';
import { writeApplication } from '../../../generator/tools/scaffold/write-application.ts';
import { templateFolder } from '../../../generator/targets/built-in.ts';
import { readTree, type Tree } from '../../output/tree.ts';
import { readParcels } from './parcels.ts';

const contract = readParcels();

/** The folder of the applications that people have changed; each has `before`, and `after` where it grows. */
export const mangled: string = fileURLToPath(new URL('mangled', import.meta.url));

/** The names of all of them. */
export const mangledNames: readonly string[] = (await readdir(mangled)).toSorted();

/** Brings the application in a folder up to the contract of parcels. */
export async function growParcels(
  folder: string,
  framework: string,
  all = false,
): Promise<ScaffoldPlan> {
  const found = frameworks.find(({ name }) => name === framework);
  if (found === undefined) throw new TypeError(`There is no framework ${framework}.`);
  const application = planApplication(await contract, {
    framework: found,
    folder: 'receiver',
    scope: '@parcels',
    version: '2.0.0',
    authentication: 'shared-secret',
    answers: new Map(),
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
    await cp(join(mangled, name, 'before'), folder, { recursive: true });
    const plan = await growParcels(folder, frameworkOf(name));
    const tree = await readTree(folder);
    const again = await growParcels(folder, frameworkOf(name));
    return { plan, tree, again };
  } finally {
    await rm(folder, { recursive: true });
  }
}
