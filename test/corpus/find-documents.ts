import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { isJsonObject, type Json } from '../../generator/json/json.ts';

/** A document to be generated from. */
export interface FoundDocument {
  /** Short, and unique in a run. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** The absolute folder that its references may lead about in. */
  readonly folder: string;
  /** The member of a configuration's `contract` that names it. */
  readonly kind: 'openapi' | 'asyncapi';
  /** Such as `OpenAPI 3.1.0`. */
  readonly specification: string;
  readonly bytes: number;
  /** Absolute path of a list of further examples of notifications. */
  readonly examples?: string;
}

/**
 * Every OpenAPI, Swagger and AsyncAPI document among files and below folders, in the order given and then by path. A
 * file that is named itself counts whatever is in it; in folders, what says no specification is passed over.
 */
export async function findDocuments(paths: readonly string[]): Promise<readonly FoundDocument[]> {
  const documents: FoundDocument[] = [];
  for (const path of paths) {
    const absolute = resolve(path);
    if ((await stat(absolute)).isDirectory()) {
      for (const file of await filesBelow(absolute)) {
        const name = join(basename(absolute), relative(absolute, file));
        const document = await readDocument(file, name, absolute);
        if (document.specification !== unknown) documents.push(document);
      }
    } else documents.push(await readDocument(absolute, basename(absolute)));
  }
  return documents;
}

/** What a file says it is. */
export async function readDocument(
  path: string,
  name: string,
  folder: string = dirname(path),
): Promise<FoundDocument> {
  const text = await readFile(path, 'utf8');
  const [key, version] = specificationOf(text, path) ?? [];
  const specification = key === undefined ? unknown : `${titles[key]} ${version}`;
  const kind = key === 'asyncapi' ? 'asyncapi' : 'openapi';
  return { name, path, folder, kind, specification, bytes: Buffer.byteLength(text) };
}

type Key = 'openapi' | 'swagger' | 'asyncapi';

const unknown = 'unknown';
const titles: Readonly<Record<Key, string>> = {
  openapi: 'OpenAPI',
  swagger: 'Swagger',
  asyncapi: 'AsyncAPI',
};

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return await filesBelow(path);
        return entry.isFile() && /\.(?:json|ya?ml)$/iu.test(entry.name) ? [path] : [];
      }),
  );
  return nested.flat().toSorted();
}

/** YAML is not parsed here: a broken document has to reach the toolkit, which says what is wrong with it. */
function specificationOf(text: string, path: string): readonly [Key, string] | undefined {
  if (extname(path).toLowerCase() === '.json') {
    const root = parse(text);
    for (const key of ['openapi', 'swagger', 'asyncapi'] as const) {
      const version = isJsonObject(root) && Object.hasOwn(root, key) ? root[key] : undefined;
      if (version !== undefined) return [key, JSON.stringify(version).replaceAll('"', '')];
    }
    if (root !== undefined) return undefined;
  }
  const match = /^["']?(openapi|swagger|asyncapi)["']?[ \t]*:[ \t]*["']?([^\s"'#,]+)/mu.exec(text);
  return match === null ? undefined : [match[1] as Key, match[2] ?? ''];
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text.replace(/^\ufeff/u, '')) as Json;
  } catch {
    return undefined;
  }
}
