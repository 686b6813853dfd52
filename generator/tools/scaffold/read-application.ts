import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../../output/disk.ts';
import type { SourceTexts } from './application-sources.ts';
import { ScaffoldError, wholeFile } from './scaffold-error.ts';

/** Folders with installed or built files, which are skipped. Folders whose names begin with a dot are skipped too. */
const builtFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'coverage',
  'out',
]);
/** The maximum size of a source file in bytes. Larger files are assumed to be generated and are skipped. */
const maxBytes = 1_000_000;
/** The maximum number of files. A folder with more is not taken for an application. */
const maxFiles = 20_000;

/**
 * Reads the TypeScript files of an application, by path with `/`. Skips generated files and does not follow symbolic
 * links.
 * @throws ScaffoldError `not-writable` for a file that is not UTF-8, which could not be written back unchanged;
 * `too-many-files`
 */
export async function readSources(folder: string): Promise<SourceTexts> {
  const sources = new Map<string, string>();
  for (const path of await list(folder, '')) {
    const bytes = await readFile(join(folder, path));
    if (bytes.length > maxBytes) continue;
    const text = decode(path, bytes);
    if (!isGenerated(text)) sources.set(path, text);
  }
  return sources;
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ScaffoldError('not-writable', { message: 'is not UTF-8', place: wholeFile(path) });
  }
}

/**
 * Returns whether a file is generated. Generated packages create receivers too, but users do not add handlers to them.
 */
function isGenerated(text: string): boolean {
  return /^\s*(?:\/\/|\/\*)[^\n]*@generated/u.test(text);
}

/**
 * Reads the text of a file. Returns `undefined` if the path does not exist. Throws the error of the system for a
 * folder.
 */
export async function readText(folder: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, path), 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function list(folder: string, below: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(
    (error: unknown) => {
      if (isAbsent(error) && below === '') return [];
      throw error;
    },
  );
  const paths: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && !entry.name.startsWith('.') && !builtFolders.has(entry.name))
      paths.push(...(await list(folder, path)));
    else if (entry.isFile() && /(?<!\.d)\.[cm]?tsx?$/u.test(entry.name)) paths.push(path);
    if (paths.length > maxFiles) {
      const message = `The folder has more than ${maxFiles} TypeScript files. Give the folder of the application alone.`;
      throw new ScaffoldError('too-many-files', { message });
    }
  }
  return paths;
}
