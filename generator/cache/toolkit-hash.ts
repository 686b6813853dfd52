import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentHash } from '../execution/content-hash.ts';
import { toolkitManifest } from '../execution/toolkit.ts';

/** Returns the hash of an input file's text. Ignores the byte order mark and the kind of line ends. */
export function inputHash(text: string): string {
  return contentHash(text.replace(/^\ufeff/u, '').replaceAll(/\r\n?/gu, '\n'));
}

/** Returns the hash of an input file on disk; `undefined` if it cannot be read. */
export function hashInput(path: string): string | undefined {
  try {
    return inputHash(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

let toolkitHash: string | undefined;

/**
 * Returns the hash of every file of the toolkit, including its package.json, which pins each dependency to one version.
 * It is computed once: a process keeps running the code that it loaded, even if the files change.
 */
export function hashToolkit(): string {
  toolkitHash ??= hashToolkitFiles();
  return toolkitHash;
}

/** Returns the hash of the toolkit's files as they are on disk now. */
export function hashToolkitFiles(): string {
  const files = [toolkitManifest()];
  const root = dirname(import.meta.dirname);
  // `npm run build` writes these. While the toolkit runs from its sources, they can appear at any time.
  const builtFolders = ['dist', 'schemas'].map((name) => join(root, name));
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && !builtFolders.includes(path))
        walk(path);
      else if (entry.isFile() && /(?:\.json|(?<!\.d)\.[jt]s)$/u.test(entry.name)) files.push(path);
    }
  };
  walk(root);
  const hash = createHash('sha256');
  for (const path of files.toSorted()) {
    const content = readFileSync(path);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
