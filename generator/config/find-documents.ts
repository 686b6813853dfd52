import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The number of files whose beginning is read, and of characters of each. */
const maxFiles = 50;
const maxBytes = 4096;

/**
 * Returns the names of the documents of a contract in a folder that has no configuration: the first OpenAPI document and
 * the first AsyncAPI document, in the order of their names. Reads the beginnings of YAML and JSON files only.
 * @param names the names in the folder
 */
export async function findDocuments(
  folder: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const namesByKind = new Map<string, string>();
  const candidates = names.filter((name) => /\.(?:ya?ml|json)$/iu.test(name)).toSorted();
  for (const name of candidates.slice(0, maxFiles)) {
    const kind = /^(?:\ufeff?\s*\{\s*)?["']?(openapi|asyncapi)["']?\s*:/mu.exec(
      await readBeginning(join(folder, name)),
    )?.[1];
    if (kind !== undefined && !namesByKind.has(kind)) namesByKind.set(kind, name);
  }
  return ['openapi', 'asyncapi'].flatMap((kind) => namesByKind.get(kind) ?? []);
}

/** Returns the beginning of a file; an empty text for what cannot be read. */
async function readBeginning(path: string): Promise<string> {
  try {
    await using file = await open(path);
    if (!(await file.stat()).isFile()) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  }
}

/** Returns the names in a folder; none for a folder that cannot be read. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((): string[] => []);
}
