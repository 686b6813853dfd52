import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The path of the toolkit's own package.json: beside its source code, and one folder above what is built from it. */
export function toolkitManifest(): string {
  const beside = join(import.meta.dirname, 'package.json');
  return existsSync(beside) ? beside : join(import.meta.dirname, '..', 'package.json');
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
