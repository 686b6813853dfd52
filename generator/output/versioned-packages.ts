import { posix } from 'node:path';
import type { Config } from '../config/config.ts';
import { versionsOnDisk } from '../contract/semantic-version.ts';
import { contentHash } from '../execution/content-hash.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { targetName } from '../targets/target-entry.ts';
import { runtimePackage } from '../targets/package/runtime-package.ts';
import { scopeOf } from '../targets/scope.ts';

/**
 * The packages of an output folder whose versions are those of their `package.json` on disk. Another tool increments
 * them, and writes a `CHANGELOG.md` into each package.
 */
export interface VersionedPackages {
  /** The target of each package, by the path of its `package.json` in the output folder. */
  readonly targets: ReadonlyMap<string, string>;
  /** The names of the packages. */
  readonly names: ReadonlySet<string>;
}

/** The tables of a `package.json` that have version ranges by package name. */
const rangeTables = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
] as const;

/** Returns the packages of a configuration whose versions are on disk; `undefined` if the configuration has them. */
export function versionedPackages(
  config: Pick<Config, 'scope' | 'targets' | 'version'>,
): VersionedPackages | undefined {
  if (config.version !== versionsOnDisk) return undefined;
  const targets = [...config.targets.map(targetName), runtimePackage];
  return {
    targets: new Map(targets.map((target) => [`${target}/package.json`, target])),
    names: new Set(targets.map((target) => `${scopeOf(config)}/${target}`)),
  };
}

/**
 * Returns the hash of a generated `package.json` without the versions of generated packages, so that it is the same
 * before and after another tool increments these.
 */
export function unversionedHash(text: string, { names }: VersionedPackages): string {
  const manifest = parseManifestText(text);
  if (manifest === undefined) return contentHash(text);
  const unversioned: Record<string, unknown> = { ...manifest, version: '' };
  for (const table of rangeTables) {
    const ranges = manifest[table];
    if (!isJsonObject(ranges)) continue;
    unversioned[table] = Object.fromEntries(
      Object.entries(ranges).map(([name, range]) => [name, names.has(name) ? '' : range]),
    );
  }
  return contentHash(JSON.stringify(unversioned));
}

/** Returns whether a file is the changelog of a generated package. `generate` neither writes nor reports it. */
export function isChangelog(
  path: string,
  packages: VersionedPackages | undefined,
  isGenerated: (path: string) => boolean,
): boolean {
  if (packages === undefined || posix.basename(path) !== 'CHANGELOG.md') return false;
  const manifest = posix.join(posix.dirname(path), 'package.json');
  return packages.targets.has(manifest) && isGenerated(manifest);
}

/** Parses the text of a `package.json`; `undefined` if it is not a JSON object. */
export function parseManifestText(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
