import type { Document } from '@redocly/openapi-core';
import type { ReferenceRewriter } from '../bundled-places.ts';
import type { Origins } from '../origins.ts';
import { BaseResolver, Source as SourceOfRedocly } from './redocly-walk.ts';
import { toPath, type Refusal } from '../reference.ts';
import { isRefusal, type Source, type Sources } from '../sources.ts';

/**
 * Returns the path under which Redocly knows a file. It names a component after the path without the last extension, so
 * that the mark of pulled documents has to be part of this extension.
 */
function toRedoclyPath(path: string): string {
  return path.replace(/\.pulled\.(\w+)$/u, '.pulled-$1');
}

/** Returns the path of a file that Redocly knows. */
export function pathOf({ absoluteRef }: { readonly absoluteRef: string }): string {
  return absoluteRef.replace(/\.pulled-(\w+)$/u, '.pulled.$1');
}

/** The error for a reference that cannot be followed: it is refused, or its file is missing, empty or invalid. */
export class UnusableReference extends Error {
  override readonly name = 'UnusableReference';
  readonly result: Refusal | Source;

  constructor(result: Refusal | Source) {
    super(isRefusal(result) ? result.message : result.file);
    this.result = result;
  }
}

/**
 * Resolves references for Redocly from the contract's files alone. Opens no connection, and reads files only through
 * `Sources`.
 */
export class ContractResolver extends BaseResolver {
  readonly #sources: Sources;
  readonly #origins: Origins;
  readonly #rewrite: ReferenceRewriter;
  readonly #documents = new Map<string, Promise<Document>>();

  /** @param rewrite changes the references of each file that is loaded */
  constructor(sources: Sources, origins: Origins, root: Document, rewrite: ReferenceRewriter) {
    super();
    this.#rewrite = rewrite;
    this.#sources = sources;
    this.#origins = origins;
    this.#documents.set(pathOf(root.source), Promise.resolve(root));
  }

  override resolveExternalRef(base: string | null, uri: string): string {
    const to = toPath(base ?? '', uri);
    return 'path' in to ? to.path : uri;
  }

  override async resolveDocument<T = unknown>(
    base: string | null,
    uri: string,
  ): Promise<Document<T>> {
    const to = toPath(base ?? '', uri);
    if (!('path' in to)) throw new UnusableReference(to);
    let document = this.#documents.get(to.path);
    if (document === undefined) {
      document = this.#load(to.path, uri);
      this.#documents.set(to.path, document);
    }
    return (await document) as Document<T>;
  }

  async #load(path: string, uri: string): Promise<Document> {
    const source = await this.#sources.readReferenced(path, uri);
    if (isRefusal(source)) throw new UnusableReference(source);
    if (source.value === undefined || source.diagnostics.length > 0)
      throw new UnusableReference(source);
    const parsed = this.#origins.adopt(source.value, { source });
    this.#rewrite(parsed, path);
    return { source: new SourceOfRedocly(toRedoclyPath(path), source.text), parsed };
  }
}
