import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The default export of a module that was made as text. */
export async function importModule<T>(text: string): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-module-'));
  try {
    const path = join(folder, 'module.mjs');
    await writeFile(path, text);
    const { default: value } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
      readonly default: T;
    };
    return value;
  } finally {
    await rm(folder, { recursive: true });
  }
}
