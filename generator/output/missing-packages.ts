import { dirname, join } from 'node:path';
import { readJson } from './read-json.ts';

/**
 * Returns the required packages, as `name@range`, that the nearest package.json does not list. It is searched from the
 * folder upwards; without one, all packages are missing.
 * @param needs version ranges by package name
 * @param folder absolute
 */
export async function findMissing(
  needs: ReadonlyMap<string, string>,
  folder: string,
): Promise<readonly string[]> {
  const listed = await listedAbove(folder);
  return [...needs].filter(([name]) => !listed.has(name)).map((one) => one.join('@'));
}

async function listedAbove(folder: string): Promise<ReadonlySet<string>> {
  for (let at = folder; ; at = dirname(at)) {
    // A file that cannot be read counts as none: the packages are only a hint, after everything was written.
    const manifest = await readJson(join(at, 'package.json')).catch(() => undefined);
    if (manifest !== undefined) {
      const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
      return new Set(lists.flatMap((name) => Object.keys(manifest[name] ?? {})));
    }
    if (dirname(at) === at) return new Set();
  }
}
