import { join } from 'node:path';
import { runtimePackage } from '../targets/package/runtime-package.ts';
import type { OutputFile } from '../targets/target.ts';
import type { Change } from './change.ts';
import type { RuntimeChange } from './generation.ts';
import { parseJsonObject, readJson } from './read-json.ts';

const manifest = `${runtimePackage}/package.json`;

/** Returns the version of the runtime in an output folder; `undefined` if it has none. */
export async function runtimeVersionIn(folder: string): Promise<string | undefined> {
  const found = await readJson(join(folder, manifest)).catch(() => undefined);
  const version: unknown = found?.['version'];
  return typeof version === 'string' ? version : undefined;
}

/**
 * Returns how the runtime differs from the one that the toolkit writes: its modules come from another version of the
 * toolkit. Returns `undefined` if they do not, also if modules are only added, removed or edited.
 * @param before the version of the package in the output folder
 */
export function toRuntimeChange(
  changes: readonly Change[],
  files: readonly OutputFile[],
  before: string | undefined,
): RuntimeChange | undefined {
  const isOther = changes.some(
    ({ path, kind }) =>
      kind === 'update' && path.startsWith(`${runtimePackage}/`) && path.endsWith('.ts'),
  );
  if (!isOther) return undefined;
  const text = files.find(({ path }) => path === manifest)?.text;
  const after = text === undefined ? undefined : parseJsonObject(text)?.['version'];
  return typeof after === 'string' && after === before ? { version: after } : {};
}
