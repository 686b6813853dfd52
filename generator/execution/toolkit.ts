import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the path of the toolkit's own package.json: in the folder of the source, and one above what is built from it. */
export function toolkitManifest(): string {
  const root = dirname(import.meta.dirname);
  const inSource = join(root, 'package.json');
  return existsSync(inSource) ? inSource : join(root, '..', 'package.json');
}

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The version of the toolkit. */
export function toolkitVersion(): string {
  return readManifest().version;
}

/**
 * The version of a runtime that generated code is written for: the one the toolkit was released with.
 * @throws TypeError for a package that the toolkit does not list
 */
export function runtimeVersion(packageName: string): string {
  const version = readManifest().dependencies[packageName];
  if (version === undefined) throw new TypeError(`The toolkit does not list ${packageName}.`);
  return version;
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(toolkitManifest(), 'utf8')) as Manifest;
}
