import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { toolkitManifest, toolkitVersion } from 'countersign/companion/configuration';
import { isJsonObject } from 'countersign/companion/values';
import type { Json, JsonObject } from 'countersign/kit';

/** How a new project installs the toolkit. */
export interface ToolkitPackage {
  readonly range: string;
  /** The tarball that the range names if it does not exist; `npm run pack` in the toolkit's repository makes it. */
  readonly missing?: string;
}

/**
 * Returns how a project in a folder installs the toolkit that is running: from the registry if that was installed from
 * one, or else from the same tarball. From the source, it is in the folder `tarballs` of the repository.
 * @param folder absolute
 * @param root the folder of the toolkit, absolute; by default that of the toolkit that is running
 */
export function toolkitPackage(
  folder: string,
  root: string = dirname(toolkitManifest()),
): ToolkitPackage {
  const version = toolkitVersion();
  const tarball = isInstalled(root)
    ? installedTarball(root)
    : join(dirname(root), 'tarballs', `countersign-${version}.tgz`);
  if (tarball === undefined) return { range: `^${version}` };
  const range = `file:${relative(folder, tarball).split(sep).join('/')}`;
  return existsSync(tarball) ? { range } : { range, missing: tarball };
}

function isInstalled(root: string): boolean {
  return root.split(sep).includes('node_modules');
}

/** Returns the tarball that npm installed the toolkit from; `undefined` if it was a registry. */
function installedTarball(root: string): string | undefined {
  const project = root.slice(0, root.lastIndexOf(`${sep}node_modules${sep}`));
  const packages = readObject(join(project, 'node_modules/.package-lock.json'))['packages'];
  const installed = isJsonObject(packages) ? packages['node_modules/countersign'] : undefined;
  const from = isJsonObject(installed) ? installed['resolved'] : undefined;
  return typeof from === 'string' && from.startsWith('file:')
    ? resolve(project, from.slice('file:'.length))
    : undefined;
}

function readObject(path: string): JsonObject {
  if (!existsSync(path)) return {};
  const value = JSON.parse(readFileSync(path, 'utf8')) as Json;
  return isJsonObject(value) ? value : {};
}
