import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the path of the toolkit's own package.json. It is in the source folder, and one level above the build output.
 */
export function toolkitManifest(): string {
  const root = dirname(import.meta.dirname);
  const inSource = join(root, 'package.json');
  return existsSync(inSource) ? inSource : join(root, '..', 'package.json');
}

interface PackageManifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** Returns the version of the toolkit. */
export function toolkitVersion(): string {
  return readManifest().version;
}

/**
 * Returns the versions of an optional peer that the toolkit works with.
 * @throws TypeError if the package is not a peer of the toolkit
 */
export function peerRange(packageName: string): string {
  const range = readManifest().peerDependencies[packageName];
  if (range === undefined) throw new TypeError(`The toolkit has no peer ${packageName}.`);
  return range;
}

function readManifest(): PackageManifest {
  return JSON.parse(readFileSync(toolkitManifest(), 'utf8')) as PackageManifest;
}
