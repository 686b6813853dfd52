import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject } from '../../json/json.ts';
import type { OutputFile } from '../target.ts';
import { runtimePackage } from './runtime-package.ts';

/** The name of the workspace with the runtime, by which its documents and adapters name its parts. */
export const ownRuntime = '@countersign/runtime';

/** The licence of the runtime and its adapters. */
export const ownLicense = 'MIT';

/** The runtime that the toolkit writes into the output. */
export interface RuntimeSources {
  /** The module of each entry, by the path under which it is imported: `signing/jwks` has `signing/jwks.ts`. */
  readonly entries: ReadonlyMap<string, string>;
  /** The versions of packages of others that the modules work with, by name. */
  readonly ranges: ReadonlyMap<string, string>;
  readonly license: string;
  /** Returns the text of a module or another file, by its path. */
  readonly read: (path: string) => string;
}

/** Returns the absolute path of the manifest in the folder with the runtime that this toolkit writes into the output. */
function runtimeManifest(): string {
  // The whole specifier is one text, which the package `countersign` replaces by a path.
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
    // Adapters are parts of other packages.
    if (path.startsWith('./adapters/')) continue;
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

/** The name of the module with the adapter, in the package of a framework. */
export const adapterModule = 'adapter';

/** The adapter of a framework, and its licence. */
export interface AdapterSource {
  readonly text: string;
  readonly license: string;
}

/**
 * Reads the adapter of a framework. It imports the parts of the runtime from a package.
 * @param name the name of that package
 */
export function readAdapter(framework: string, name: string): AdapterSource {
  const { read, license } = openRuntimeSources();
  return { text: read(adapterPath(framework)).replaceAll(`'${ownRuntime}/`, `'${name}/`), license };
}

function adapterPath(framework: string): string {
  return `adapters/${framework}.ts`;
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
 * Returns the absolute paths of the files beside the toolkit that the runtime and the adapters among emitted files were
 * made from: of their modules and documents, and of what the package of the runtime states.
 */
export function ownRuntimeFiles(emitted: readonly OutputFile[]): readonly string[] {
  const sources = emitted.flatMap(({ path }) => {
    const [, framework] = adapterFile.exec(path) ?? [];
    if (framework !== undefined) return [adapterPath(framework)];
    if (!path.startsWith(`${runtimePackage}/`)) return [];
    const own = path.slice(runtimePackage.length + 1);
    if (own.endsWith('.ts')) return [own.replace(/^src\//u, '')];
    return runtimeDocuments[/^docs\/(\w+)\.md$/u.exec(own)?.[1] ?? ''] ?? [];
  });
  if (sources.length === 0) return [];
  const manifest = runtimeManifest();
  const folder = dirname(manifest);
  // A target from outside can have such a file, too.
  const files = sources.map((path) => join(folder, path)).filter((path) => existsSync(path));
  return [manifest, join(folder, 'LICENSE'), ...files];
}

/** The path of the module with the adapter of a framework, in packages and in a folder. */
const adapterFile = new RegExp(String.raw`^webhooks-([a-z-]+)/(?:src/)?${adapterModule}\.ts$`, 'u');
