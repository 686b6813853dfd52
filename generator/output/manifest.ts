import { isJsonObject } from '../json/json.ts';
import { contentHash } from '../execution/content-hash.ts';

/** The content hash of every generated file, by path. */
export type Manifest = ReadonlyMap<string, string>;

const format = 1;

const hashCache = new WeakMap<Readable, string>();

interface Readable {
  readonly text: string;
}

/** Returns the content hash of a file. It is computed once per file object, because several steps of a run need it. */
export function hashOf(file: Readable): string {
  const before = hashCache.get(file);
  if (before !== undefined) return before;
  const now = contentHash(file.text);
  hashCache.set(file, now);
  return now;
}

/** Prints a manifest. The same files give the same bytes on every machine and at any time. */
export function printManifest(files: Manifest): string {
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = sorted.map(
    ([path, hash]) => `    ${JSON.stringify(path)}: ${JSON.stringify(hash)}`,
  );
  const body = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
  return `{\n  "@generated": "by countersign; do not edit",\n  "format": ${format},\n  "sha256": ${body}\n}\n`;
}

/** Parses a manifest; `undefined` if the text is not valid, such as one with merge conflict markers. */
export function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value['format'] !== format || !isJsonObject(value['sha256'])) {
    return undefined;
  }
  const files = new Map<string, string>();
  for (const [path, hash] of Object.entries(value['sha256'])) {
    if (typeof hash !== 'string') return undefined;
    files.set(path, hash);
  }
  return files;
}
