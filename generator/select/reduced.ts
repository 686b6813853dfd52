import type { JsonObject } from '../json/json.ts';
import type { Documents } from '../load/documents.ts';
import type { DocumentName, Pointer } from '../json/pointer.ts';

/** Documents with parts removed, and the original places of the parts that moved. */
export interface Reduced {
  readonly documents: Documents;
  /**
   * Maps places of the reduced documents to their original places. An entry applies to everything below its place as
   * well.
   */
  readonly moved: ReadonlyMap<Pointer, Pointer>;
}

/** Returns the documents with their roots replaced. */
export function replaceRoots(
  documents: Documents,
  replace: (root: JsonObject, document: DocumentName) => JsonObject,
): Documents {
  const { openapi, asyncapi } = documents;
  return {
    ...documents,
    ...(openapi === undefined
      ? {}
      : { openapi: { ...openapi, root: replace(openapi.root, 'openapi') } }),
    ...(asyncapi === undefined
      ? {}
      : { asyncapi: { ...asyncapi, root: replace(asyncapi.root, 'asyncapi') } }),
  };
}
