import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject } from '../../json/json.ts';
import { runtimePackage } from '../../targets/package/runtime-package.ts';
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

/** The documents of the parts, by the name that each gets. */
export const runtimeDocuments: Readonly<Record<string, string>> = {
  client: 'client/README.md',
  hosts: 'webhooks/HOSTS.md',
  inbox: 'inbox/README.md',
  signing: 'signing/README.md',
  webhooks: 'webhooks/README.md',
};

/**
 * Returns the absolute paths of the files beside the toolkit that the runtime among emitted files was made from: of its
 * modules and documents, and of what its package states.
 */
export function ownRuntimeFiles(files: readonly OutputFile[]): readonly string[] {
  const sources = files.flatMap(({ path }) => {
    if (!path.startsWith(`${runtimePackage}/`)) return [];
    const own = path.slice(runtimePackage.length + 1);
    if (own.endsWith('.ts')) return [own.replace(/^src\//u, '')];
    return runtimeDocuments[/^docs\/(\w+)\.md$/u.exec(own)?.[1] ?? ''] ?? [];
  });
  if (sources.length === 0) return [];
  const manifest = runtimeManifest();
  const folder = dirname(manifest);
  return [manifest, ...['LICENSE', ...sources].map((path) => join(folder, path))];
}
