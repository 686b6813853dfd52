import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { OutputFile } from '../targets/target.ts';
import { parseJsonObject, readJson } from './read-json.ts';
import { npmWorkspaceMatcher } from './workspace.ts';

/**
 * The differences between a lockfile and the generated packages, which keep `npm ci` from installing these as they are.
 */
export interface LockfileReport {
  /** The `package-lock.json`, absolute. */
  readonly file: string;
  /** Descriptions of the differences; empty if the lockfile lists exactly the generated packages. */
  readonly problems: readonly string[];
}

/** The members of a package.json that npm repeats in the lockfile and compares before it installs. */
const repeated = [
  'version',
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'engines',
] as const;

/**
 * Compares the generated packages with a lockfile: the nearest one above the output folder whose package has them as
 * npm workspaces. Returns `undefined` if there is none.
 * @param output the output folder, absolute
 */
export async function compareLockfile(
  files: readonly OutputFile[],
  output: string,
): Promise<LockfileReport | undefined> {
  for (let folder = dirname(output); ; folder = dirname(folder)) {
    const lockfile = await readJson(join(folder, 'package-lock.json'));
    const manifest = await readJson(join(folder, 'package.json'));
    if (lockfile !== undefined && manifest !== undefined) {
      const place = relative(folder, output).split(sep).join('/');
      const problems = compare(files, place, lockfile, npmWorkspaceMatcher(manifest));
      if (problems !== undefined) return { file: join(folder, 'package-lock.json'), problems };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

function compare(
  files: readonly OutputFile[],
  place: string,
  lockfile: JsonObject,
  isWorkspace: (path: string) => boolean,
): readonly string[] | undefined {
  const generated = new Map<string, JsonObject>();
  for (const { path, text } of files) {
    const folder = posix.join(place, posix.dirname(path));
    const manifest = posix.basename(path) === 'package.json' ? parseJsonObject(text) : undefined;
    if (manifest !== undefined && isWorkspace(folder)) generated.set(folder, manifest);
  }
  const packages = isJsonObject(lockfile['packages']) ? lockfile['packages'] : {};
  const listed = Object.keys(packages).filter(
    (path) => path.startsWith(`${place}/`) && !path.split('/').includes('node_modules'),
  );
  if (generated.size === 0 && listed.length === 0) return undefined;
  const problems: string[] = [];
  for (const [folder, manifest] of generated) {
    const entry = Object.hasOwn(packages, folder) ? packages[folder] : undefined;
    if (!isJsonObject(entry)) problems.push(`${folder} is not listed`);
    else {
      const different = differences(entry, manifest, folder);
      if (different.length > 0)
        problems.push(`${folder} is listed with another ${different.join(', ')}`);
    }
  }
  for (const folder of listed) {
    if (!generated.has(folder)) problems.push(`${folder} is listed and no longer generated`);
  }
  return problems;
}

function differences(entry: JsonObject, manifest: JsonObject, folder: string): readonly string[] {
  // npm leaves out a name that equals the name of the folder.
  const name = entry['name'] ?? basename(folder);
  const different: string[] = repeated.filter(
    (key) => canonical(entry[key]) !== canonical(manifest[key]),
  );
  return name === manifest['name'] ? different : ['name', ...different];
}

function canonical(value: Json | undefined): string {
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return members.length === 0 ? 'null' : JSON.stringify(members);
}
