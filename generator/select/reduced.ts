import type { JsonObject } from '../json/json.ts';
import type { Documents } from '../load/documents.ts';
import type { DocumentName, Pointer } from '../json/pointer.ts';

/** Documents that had something taken out, and what stands elsewhere now. */
export interface Reduced {
  readonly documents: Documents;
  /** Places of the reduced documents to the places where they were, with everything below them. */
  readonly moved: ReadonlyMap<Pointer, Pointer>;
}

/** The same documents with other roots. */
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
