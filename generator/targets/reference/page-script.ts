import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findPrepared, type PageScripts } from '../prepared.ts';
import { pageFolder, runtimeFolder, sharedFolder } from './page-folders.ts';

/**
 * Returns the absolute paths of the sources of the page's scripts: their own modules, the shared theme, and those of the
 * signing runtime.
 */
export function scriptSources(): readonly string[] {
  return [pageFolder(), sharedFolder(), runtimeFolder('signing'), runtimeFolder('base')].flatMap(
    sourcesOf,
  );
}

/**
 * Returns the bundled scripts of the page: the same text for the same sources. The signing runtime is bundled for
 * browsers from its published source. The page therefore computes signatures with the code of clients and receivers.
 */
export async function pageScripts(): Promise<PageScripts> {
  const prepared = findPrepared('scripts')(scriptText());
  if (prepared !== undefined) return prepared;
  // Only this repository has the bundler.
  const { bundleScripts } = await import('./bundle-scripts.ts');
  return await bundleScripts();
}

/** Returns the text of all sources of the scripts. */
export function scriptText(): string {
  return scriptSources()
    .map((path) => readFileSync(path, 'utf8'))
    .join('\0');
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => join(folder, name));
}
