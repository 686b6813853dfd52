import { readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject } from '../../json/json.ts';
import { runtimePackage } from '../../targets/package/runtime-names.ts';
import type { OutputFile } from '../../targets/target.ts';
import type { RuntimeSources } from './closure.ts';

/** Returns the absolute path of the manifest in the folder with the runtime that this toolkit writes into the output. */
function runtimeManifest(): string {
  return fileURLToPath(import.meta.resolve('@countersign/runtime/package.json'));
}

/** Opens the runtime beside the toolkit. Its modules are read when they are asked for, each of them once. */
export function openRuntimeSources(manifestPath: string = runtimeManifest()): RuntimeSources {
  const folder = dirname(manifestPath);
  const texts = new Map<string, string>();
  const read = (path: string): string => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const text = readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n');
    texts.set(path, text);
    return text;
  };
  const manifest: unknown = JSON.parse(read(basename(manifestPath)));
  const { exports: exported, peerDependencies: peers } = isJsonObject(manifest)
    ? manifest
    : { exports: undefined, peerDependencies: undefined };
  const entries = new Map<string, string>();
  for (const [path, conditions] of Object.entries(isJsonObject(exported) ? exported : {})) {
    const source = isJsonObject(conditions) ? conditions['countersign-source'] : undefined;
    if (typeof source === 'string') entries.set(path.slice('./'.length), source.slice('./'.length));
  }
  return {
    entries,
    ranges: new Map(
      Object.entries(isJsonObject(peers) ? peers : {}).flatMap(([name, range]) =>
        typeof range === 'string' ? [[name, range] as const] : [],
      ),
    ),
    license: read('LICENSE'),
    read,
  };
}

/**
 * Returns the absolute paths of the sources of the runtime's modules among emitted files, if they can change while the
 * toolkit does not. Those of an installed runtime have the version that the toolkit requires.
 */
export function ownRuntimeFiles(files: readonly OutputFile[]): readonly string[] {
  const folder = dirname(runtimeManifest());
  if (folder.split(sep).includes('node_modules')) return [];
  return files.flatMap(({ path }) => {
    if (!path.startsWith(`${runtimePackage}/`) || !path.endsWith('.ts')) return [];
    return [join(folder, path.slice(runtimePackage.length + 1).replace(/^src\//u, ''))];
  });
}
