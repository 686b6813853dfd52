import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { runtimeVersion, toolkitManifest, toolkitVersion } from '../../execution/toolkit.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';

/** The packages of the toolkit that a new project lists. */
const runtimes = ['console', 'runtime', 'simulator', 'templates'].map(
  (name) => `@countersign/${name}`,
);

/** How a new project installs the toolkit. */
export interface ToolkitPackages {
  /** The range of each package by its name. */
  readonly ranges: Readonly<Record<string, string>>;
  /** The tarballs that the ranges name and that do not exist; `npm run pack` in the toolkit's repository makes them. */
  readonly missing: readonly string[];
}

/**
 * Returns how a project in a folder installs the toolkit that is running: from the registry if that was installed from
 * one, or else from the same tarballs. From the source, these are in the folder `tarballs` of the repository.
 * @param folder absolute
 * @param root the folder of the toolkit, absolute; by default that of the toolkit that is running
 */
export function toolkitPackages(
  folder: string,
  root: string = dirname(toolkitManifest()),
): ToolkitPackages {
  const version = toolkitVersion();
  const tarballs = isInstalled(root)
    ? installedTarballs(root)
    : new Map(
        ['countersign', ...runtimes].map((name) => {
          const packageVersion = name === 'countersign' ? version : runtimeVersion(name);
          const file = `${name.replace('@', '').replace('/', '-')}-${packageVersion}.tgz`;
          return [name, join(dirname(root), 'tarballs', file)] as const;
        }),
      );
  // A registry has the other packages, too.
  if (!tarballs.has('countersign')) return { ranges: { countersign: `^${version}` }, missing: [] };
  return {
    ranges: Object.fromEntries(
      [...tarballs].map(([name, path]) => [
        name,
        `file:${relative(folder, path).split(sep).join('/')}`,
      ]),
    ),
    missing: [...tarballs.values()].filter((path) => !existsSync(path)),
  };
}

function isInstalled(root: string): boolean {
  return root.split(sep).includes('node_modules');
}

/** Returns the tarballs that npm installed the toolkit from, by the names of its packages. */
function installedTarballs(root: string): ReadonlyMap<string, string> {
  const project = root.slice(0, root.lastIndexOf(`${sep}node_modules${sep}`));
  const packages = readObject(join(project, 'node_modules/.package-lock.json'))['packages'];
  return new Map(
    ['countersign', ...runtimes].flatMap((name) => {
      const installed = isJsonObject(packages) ? packages[`node_modules/${name}`] : undefined;
      const from = isJsonObject(installed) ? installed['resolved'] : undefined;
      return typeof from === 'string' && from.startsWith('file:')
        ? [[name, resolve(project, from.slice('file:'.length))] as const]
        : [];
    }),
  );
}

function readObject(path: string): JsonObject {
  if (!existsSync(path)) return {};
  const value = JSON.parse(readFileSync(path, 'utf8')) as Json;
  return isJsonObject(value) ? value : {};
}
