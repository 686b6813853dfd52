import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isJsonObject } from '../json/json.ts';
import { isInFolder } from '../load/file-paths.ts';
import { isAbsent } from './disk.ts';
import { readJson } from './read-json.ts';
import type { Workspace } from './workspace.ts';

/** A requirement of a generated package that a registry can answer with another package of the same name. */
export interface RegistryRange {
  /** The package.json of the application, absolute. */
  readonly file: string;
  readonly name: string;
  readonly range: string;
  /** The requirement that no registry is asked for. */
  readonly instead: string;
}

const lists = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** The requirements that name a folder or a package of the workspace. */
const local = /^(?:file|link|portal|workspace):/u;

/**
 * Returns a requirement of a generated package by its place in the workspace.
 * @param application the folder of the application, absolute
 * @param folder that of the generated package
 */
function localRange(application: string, folder: string, { hasProtocol }: Workspace): string {
  if (hasProtocol) return 'workspace:*';
  return `file:${relative(application, folder).split(sep).join('/')}`;
}

/**
 * Finds the applications of a workspace that require a generated package by a range. The package manager asks a registry
 * for such a package as soon as its version does not match the range any more. Generated packages that are published
 * are left out: their owner has their names in the registry.
 * @param output the output folder, absolute
 */
export async function findRegistryRanges(
  output: string,
  workspace: Workspace,
): Promise<readonly RegistryRange[]> {
  const folders = await generatedPackages(output);
  const found: RegistryRange[] = [];
  for (const member of await workspace.members()) {
    if (isInFolder(output, member)) continue;
    const file = join(member, 'package.json');
    const manifest = (await readJson(file)) ?? {};
    for (const list of lists) {
      const { [list]: ranges } = manifest;
      if (!isJsonObject(ranges)) continue;
      for (const [name, range] of Object.entries(ranges)) {
        const folder = folders.get(name);
        if (folder === undefined || typeof range !== 'string' || local.test(range)) continue;
        found.push({ file, name, range, instead: localRange(member, folder, workspace) });
      }
    }
  }
  return found;
}

/** Returns the folders of the generated packages that are not published, by their names. */
async function generatedPackages(output: string): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>();
  const names = await readdir(output).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  for (const name of names) {
    const manifest = await readJson(join(output, name, 'package.json'));
    if (typeof manifest?.['name'] === 'string' && manifest['publishConfig'] === undefined)
      folders.set(manifest['name'], join(output, name));
  }
  return folders;
}
