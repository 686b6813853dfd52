import { dirname, join } from 'node:path';
import { readJson } from './read-json.ts';

/**
 * Returns the required packages, as `name@range`, that the nearest package.json does not list. It is searched from the
 * folder upwards; without one, all packages are missing. Types have the major version of the package that is listed.
 * @param needs version ranges by package name
 * @param folder absolute
 */
export async function findMissing(
  needs: ReadonlyMap<string, string>,
  folder: string,
): Promise<readonly string[]> {
  const listed = await listedAbove(folder, [...production, 'devDependencies']);
  return [...needs]
    .filter(([name]) => !listed.has(name))
    .map(([name, range]) => `${name}@${majorOfTyped(name, listed) ?? range}`);
}

/**
 * Returns the required packages, as `name@range`, that the nearest package.json lists for development only, so that an
 * installation for production lacks them. Packages of types are not needed there.
 * @param needs version ranges by package name
 * @param folder absolute
 */
export async function findDevelopmentOnly(
  needs: ReadonlyMap<string, string>,
  folder: string,
): Promise<readonly string[]> {
  const listed = await listedAbove(folder, production);
  const development = await listedAbove(folder, ['devDependencies']);
  return [...needs]
    .filter(([name]) => development.has(name) && !listed.has(name) && !name.startsWith('@types/'))
    .map(([name, range]) => `${name}@${range}`);
}

/** Returns the major version of the package whose types another has, if its range begins with one. */
function majorOfTyped(name: string, listed: ReadonlyMap<string, unknown>): string | undefined {
  if (!name.startsWith('@types/')) return undefined;
  const range = listed.get(name.slice('@types/'.length));
  return typeof range === 'string' ? /^[\^~>=v\s]*(\d+)(?![\w-])/u.exec(range)?.[1] : undefined;
}

/** The lists of a package.json that an installation for production reads. */
const production: readonly string[] = ['dependencies', 'peerDependencies', 'optionalDependencies'];

async function listedAbove(
  folder: string,
  lists: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  for (let at = folder; ; at = dirname(at)) {
    // A file that cannot be read counts as none: the packages are only a hint, after everything was written.
    const manifest = await readJson(join(at, 'package.json')).catch(() => undefined);
    if (manifest !== undefined)
      return new Map(lists.flatMap((name) => Object.entries(manifest[name] ?? {})));
    if (dirname(at) === at) return new Map();
  }
}
