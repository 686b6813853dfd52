import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Budgets } from 'countersign';
import { defaultBudgets, parseText } from 'countersign/companion/documents';
import { toRelativeReference } from 'countersign/companion/paths';
import { CommandError } from 'countersign/companion/terminal';
import { isJsonObject, splitReference } from 'countersign/companion/values';
import { toShownAddress, withoutQuery } from './address.ts';
import type { FetchDocument } from './fetch-document.ts';
import { LocalPaths } from './local-paths.ts';
import { type LockedDocument, type PullLock } from './pull-lock.ts';
import { referencesIn, replaceReferences } from './references.ts';

/** A document that was fetched, and the file that it becomes. */
export interface PulledDocument {
  readonly address: URL;
  /** The path below the folder, with `/`. */
  readonly file: string;
  /** The hash of the bytes that were fetched, in hex. */
  readonly sha256: string;
  /** The content of the file: the same bytes, unless a reference has to be rewritten. */
  readonly content: Buffer;
}

/** The limits of a pull. */
export interface PullLimits extends Pick<Budgets, 'maxFileBytes' | 'maxTotalBytes'> {
  readonly maxDocuments: number;
  /** The length of a chain of references from a document that the user named. */
  readonly maxReferenceDepth: number;
}

const defaultLimits: PullLimits = {
  maxFileBytes: defaultBudgets.maxFileBytes,
  maxTotalBytes: defaultBudgets.maxTotalBytes,
  maxDocuments: 1000,
  maxReferenceDepth: 30,
};

interface Fetched {
  readonly address: URL;
  readonly bytes: Buffer;
  readonly format: 'yaml' | 'json';
  /** The addresses of the documents that it refers to, by the reference as it is written. */
  readonly references: ReadonlyMap<string, URL>;
  /** Those of them that are fetched for it. */
  readonly followed: ReadonlySet<string>;
}

/**
 * Fetches documents and all documents that they refer to, each once. Assigns each a file, and rewrites the references
 * that do not lead to the file of their document.
 * @throws CommandError `pull-refused` where a limit is exceeded, or a document is neither YAML nor JSON
 */
export async function pullDocuments(
  entries: readonly URL[],
  fetchDocument: FetchDocument,
  locked: readonly LockedDocument[],
  limits: PullLimits = defaultLimits,
): Promise<readonly PulledDocument[]> {
  const fetched = new Map<string, Fetched>();
  const waiting = entries.map((address) => ({ address, depth: 0 }));
  const seen = new Set(waiting.map(({ address }) => address.href));
  let bytesLeft = limits.maxTotalBytes;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { address, depth } = next;
    if (fetched.size >= limits.maxDocuments)
      throw refused(address, `is one of more than ${limits.maxDocuments} documents`);
    if (depth > limits.maxReferenceDepth)
      throw refused(address, `is behind more than ${limits.maxReferenceDepth} references`);
    const { base, bytes } = await fetchDocument(address, Math.min(limits.maxFileBytes, bytesLeft));
    bytesLeft -= bytes.length;
    const document = await readDocument(address, base, bytes, limits);
    fetched.set(address.href, document);
    for (const [reference, target] of document.references) {
      if (!document.followed.has(reference) || seen.has(target.href)) continue;
      seen.add(target.href);
      waiting.push({ address: target, depth: depth + 1 });
    }
  }
  const knownPaths = new Map(locked.map(({ url, file }) => [url, file]));
  const paths = new LocalPaths(entries, knownPaths);
  const pathOf = (address: URL): string | undefined => {
    const format = fetched.get(address.href)?.format;
    return format === undefined ? undefined : paths.pathOf(address, format);
  };
  return await Promise.all(
    Array.from(fetched.values(), async (document) => await toPulled(document, pathOf, limits)),
  );
}

async function readDocument(
  address: URL,
  base: URL,
  bytes: Buffer,
  limits: PullLimits,
): Promise<Fetched> {
  const text = decode(bytes);
  if (text === undefined) throw refused(address, 'is not UTF-8 text');
  const { value, errors } = await parseText(text, { ...defaultBudgets, ...limits });
  const [error] = errors;
  if (!isJsonObject(value)) {
    const hint = /^\s*</u.test(text)
      ? ', but a page in HTML or XML. Use the address of the file itself'
      : error === undefined
        ? ''
        : `: ${error.message.replace(/\.$/u, '')} (line ${error.line})`;
    throw refused(address, `is not a document in YAML or JSON${hint}`);
  }
  const references = new Map<string, URL>();
  const { followed, named } = referencesIn(value);
  for (const reference of new Set([...followed, ...named])) {
    const target = resolveReference(reference, base);
    if (target !== undefined) references.set(reference, target);
  }
  const format = /^\s*[{[]/u.test(text) ? 'json' : 'yaml';
  return { address, bytes, format, references, followed };
}

/** Returns the address of the document that a reference names; `undefined` for a scheme that is not fetched. */
function resolveReference(reference: string, base: URL): URL | undefined {
  const { uri } = splitReference(reference);
  if (!URL.canParse(uri, base)) return undefined;
  const target = new URL(uri, base);
  if (target.protocol !== 'https:' && target.protocol !== 'http:') return undefined;
  return new URL(toShownAddress(target));
}

async function toPulled(
  { address, bytes, references }: Fetched,
  pathOf: (address: URL) => string | undefined,
  limits: PullLimits,
): Promise<PulledDocument> {
  const file = pathOf(address) ?? '';
  const changes = new Map<string, string>();
  for (const [reference, target] of references) {
    const { uri } = splitReference(reference);
    const path = pathOf(target);
    if (path === undefined || isPathTo(uri, file, path)) continue;
    changes.set(reference, `${toReference(file, path)}${reference.slice(uri.length)}`);
  }
  const sha256 = hashOf(bytes);
  if (changes.size === 0) return { address, file, sha256, content: bytes };
  const text = replaceReferences(decode(bytes) ?? '', changes);
  // What the file refers to is checked again, because a reference can be written with an anchor of YAML.
  const { value = null } = await parseText(text, { ...defaultBudgets, ...limits });
  const wanted = new Set(
    Array.from(references.keys(), (reference) => changes.get(reference) ?? reference),
  );
  const { followed, named } = referencesIn(value);
  const other = [...followed, ...named].find(
    (reference) => changes.has(reference) && !wanted.has(reference),
  );
  if (other !== undefined || value === null)
    throw refused(address, `has the reference \`${other ?? ''}\`, which cannot be rewritten`);
  return { address, file, sha256, content: Buffer.from(text) };
}

/** Returns whether a reference in a file names a path already, as a path without an address. */
function isPathTo(uri: string, file: string, path: string): boolean {
  if (/^[a-z][a-z\d+.-]*:|^\/|[?\\%]/iu.test(uri)) return false;
  return posix.join(posix.dirname(file), uri) === path;
}

function toReference(file: string, path: string): string {
  return toRelativeReference(`/${file}`, `/${path}`);
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the SHA-256 hash of bytes, in hex. */
export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the lock of what was pulled. A document that did not change keeps its date. */
export function toLock(
  entries: readonly URL[],
  pulled: readonly PulledDocument[],
  previous: PullLock | undefined,
  now: Date,
): PullLock {
  const before = new Map(previous?.documents.map((document) => [document.url, document]));
  return {
    entries: entries.map(({ href }) => href),
    documents: pulled
      .map(({ address, file, sha256, content }): LockedDocument => {
        const fileSha256 = hashOf(content);
        const lockedDocument = before.get(address.href);
        return {
          url: address.href,
          file,
          sha256,
          ...(fileSha256 === sha256 ? {} : { fileSha256 }),
          date: lockedDocument?.sha256 === sha256 ? lockedDocument.date : now.toISOString(),
        };
      })
      .toSorted((a, b) => (a.file < b.file ? -1 : 1)),
  };
}

function refused(address: URL, reason: string): CommandError {
  return new CommandError(
    'pull-refused',
    `Nothing was written: ${withoutQuery(address)} ${reason}.`,
  );
}
