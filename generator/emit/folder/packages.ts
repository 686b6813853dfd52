import { posix } from 'node:path';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { OutputFile } from '../../targets/target.ts';

/** What the manifest of a generated package declares for importers. */
export interface GeneratedPackage {
  readonly folder: string;
  readonly name: string;
  /** The paths of modules in the output, by import specifier. */
  readonly entries: ReadonlyMap<string, string>;
  /** Version ranges of the packages that the code imports, by name. */
  readonly needs: ReadonlyMap<string, string>;
}

/** Finds the packages among generated files. */
export function packagesAmong(files: readonly OutputFile[]): readonly GeneratedPackage[] {
  return files.flatMap(({ path, text }) => {
    if (posix.basename(path) !== 'package.json') return [];
    const manifest: unknown = JSON.parse(text);
    if (!isJsonObject(manifest) || typeof manifest['name'] !== 'string') return [];
    const folder = posix.dirname(path);
    const { name } = manifest;
    return [{ folder, name, entries: entriesOf(folder, name, manifest), needs: needsOf(manifest) }];
  });
}

function entriesOf(
  folder: string,
  name: string,
  manifest: JsonObject,
): ReadonlyMap<string, string> {
  const exported = manifest['exports'];
  const entries = new Map<string, string>();
  if (!isJsonObject(exported)) return entries;
  for (const [subpath, conditions] of Object.entries(exported)) {
    const source = isJsonObject(conditions)
      ? (conditions['countersign-source'] ?? conditions['default'])
      : conditions;
    if (typeof source !== 'string' || source.includes('*')) continue;
    entries.set(posix.join(name, subpath), posix.join(folder, source));
  }
  return entries;
}

function needsOf(manifest: JsonObject): ReadonlyMap<string, string> {
  const optional = manifest['peerDependenciesMeta'];
  const compiledWith = manifest['devDependencies'];
  const mayMiss = (name: string): boolean => {
    const meta = isJsonObject(optional) ? optional[name] : undefined;
    // The code of an application compiles as a whole.
    if (isJsonObject(compiledWith) && name in compiledWith) return false;
    return isJsonObject(meta) && meta['optional'] === true;
  };
  return new Map(
    [manifest['dependencies'], manifest['peerDependencies']].flatMap((ranges) =>
      isJsonObject(ranges)
        ? Object.entries(ranges).flatMap(([name, range]) =>
            typeof range === 'string' && !mayMiss(name) ? [[name, range] as const] : [],
          )
        : [],
    ),
  );
}
