import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { runtimePackage } from '../targets/package/runtime-package.ts';
import { stampVersion } from '../targets/package/stamp-module.ts';
import type { OutputFile } from '../targets/target.ts';
import type { Change } from './change.ts';
import type { RuntimeChange } from './generation.ts';
import { parseJsonObject, readJson } from './read-json.ts';

/** The code of the toolkit in an output folder, before a run replaces it. */
export interface RuntimeBefore {
  /** The versions of the toolkit that wrote the modules, by their paths. */
  readonly modules: ReadonlyMap<string, string>;
  /** The versions of the packages with these modules, by their folders. */
  readonly packages: ReadonlyMap<string, string>;
}

/** Reads which versions of the toolkit wrote its modules in an output folder, and the versions of their packages. */
export async function readRuntime(
  folder: string,
  files: readonly OutputFile[],
): Promise<RuntimeBefore> {
  const modules = new Map<string, string>();
  const packages = new Map<string, string>();
  for (const { path, text } of files) {
    if (stampVersion(text) === undefined) continue;
    const version = stampVersion(await readStart(join(folder, path)));
    if (version !== undefined) modules.set(path, version);
  }
  for (const folderName of new Set([...modules.keys()].map(folderOf))) {
    const found = await readJson(join(folder, folderName, 'package.json')).catch(() => undefined);
    const version: unknown = found?.['version'];
    if (typeof version === 'string') packages.set(folderName, version);
  }
  return { modules, packages };
}

/** Returns the beginning of a file, in which a module has its version; empty if it cannot be read. */
async function readStart(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(128), 0, 128);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  }
}

/**
 * Returns the packages whose code of the toolkit differs from the code that this toolkit writes: the runtime, and those
 * with an adapter. A package is not one of them if its modules are only added, removed or edited.
 */
export function toRuntimeChanges(
  changes: readonly Change[],
  files: readonly OutputFile[],
  { modules, packages }: RuntimeBefore,
): readonly RuntimeChange[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const found = new Map<string, RuntimeChange>();
  for (const { path, kind } of changes) {
    const folder = folderOf(path);
    const before = modules.get(path);
    const after = stampVersion(texts.get(path) ?? '');
    if (kind !== 'update' || before === undefined || after === undefined || found.has(folder))
      continue;
    const manifest = texts.get(`${folder}/package.json`);
    const version = manifest === undefined ? undefined : parseJsonObject(manifest)?.['version'];
    const order = compareReleases(before, after);
    found.set(folder, {
      folder,
      before,
      after,
      ...(order === 0 ? {} : { age: order < 0 ? 'older' : 'newer' }),
      ...(typeof version === 'string' && version === packages.get(folder) ? { version } : {}),
    });
  }
  const isOfRuntime = ({ folder }: RuntimeChange): boolean => folder === runtimePackage;
  return [...found.values()].toSorted((a, b) => Number(isOfRuntime(b)) - Number(isOfRuntime(a)));
}

/** Compares the numbers of two versions. A pre-release has those of its release. */
function compareReleases(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split(/[-+]/u, 1)[0]?.split('.') ?? []);
  for (const [index, part] of (a ?? []).entries()) {
    const difference = Number(part) - Number(b?.[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function folderOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}
