import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from 'countersign/companion/application';
import { ScaffoldError } from './scaffold-error.ts';

/** Folders with installed or built files, which are skipped. Folders whose names begin with a dot are skipped too. */
const builtFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'coverage',
  'out',
]);
/** The maximum length of a source file. Longer files are assumed to be generated and are skipped. */
const maxLength = 1_000_000;
/** The maximum number of files. A folder with more is not taken for an application. */
const maxFiles = 20_000;

/**
 * Returns the paths of the TypeScript files that people write for an application, without tests, with `/`. Does not
 * follow symbolic links.
 * @throws ScaffoldError `too-many-files`
 */
export async function listSources(folder: string): Promise<readonly string[]> {
  const sources: string[] = [];
  for (const path of await list(folder, '')) {
    if (isTest(path)) continue;
    const text = await readFile(join(folder, path), 'utf8');
    if (text.length <= maxLength && !isGenerated(text)) sources.push(path);
  }
  return sources;
}

/** Returns whether a path is that of a test. Tests create receivers of their own. */
function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\.[cm]?tsx?$/u.test(path);
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
