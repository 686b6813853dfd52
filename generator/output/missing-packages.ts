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
  const listed = await listedAbove(folder);
  return [...needs]
    .filter(([name]) => !listed.has(name))
    .map(([name, range]) => `${name}@${majorOfTyped(name, listed) ?? range}`);
}

/** Returns the major version of the package whose types another has, if its range begins with one. */
function majorOfTyped(name: string, listed: ReadonlyMap<string, unknown>): string | undefined {
  if (!name.startsWith('@types/')) return undefined;
  const range = listed.get(name.slice('@types/'.length));
  return typeof range === 'string' ? /^[\^~>=v\s]*(\d+)(?![\w-])/u.exec(range)?.[1] : undefined;
}

async function listedAbove(folder: string): Promise<ReadonlyMap<string, unknown>> {
  for (let at = folder; ; at = dirname(at)) {
    // A file that cannot be read counts as none: the packages are only a hint, after everything was written.
    const manifest = await readJson(join(at, 'package.json')).catch(() => undefined);
    if (manifest !== undefined) {
      const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
      return new Map(lists.flatMap((name) => Object.entries(manifest[name] ?? {})));
    }
    if (dirname(at) === at) return new Map();
  }
}
