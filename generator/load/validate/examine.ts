import type { JsonObject } from '../../json/json.ts';
import type { DocumentName } from '../../json/pointer.ts';
import type { Problem } from '../../diagnostics/problem.ts';
import { createAsyncapiShapes } from '../../specification/asyncapi-shapes.ts';
import { createOpenapiShapes } from '../../specification/openapi-shapes.ts';
import { findIdenticalPaths } from '../../specification/openapi-rules.ts';
import { Walk, type DocumentShapes } from '../../specification/shapes.ts';

/** The shapes of each specification, made once they are asked for. */
const made = new Map<string, DocumentShapes>();

/**
 * What the tools of its specification would say of a document that is sound for sure, and leads to no other file;
 * `undefined` for any other, which they have to look at themselves. Most documents are sound, and to see that takes a
 * tenth of the time in which Redocly and swagger-parser, who own these questions, are loaded and have looked.
 */
export function examine(
  root: JsonObject,
  name: DocumentName,
  version: string,
  usesVocabulary: boolean,
): readonly Problem[] | undefined {
  const shapes = shapesOf(name, version);
  if (shapes === undefined) return undefined;
  const { document, vocabulary, extensionNames } = shapes;
  const walk = new Walk(root, {
    vocabulary: usesVocabulary ? vocabulary : new Map(),
    extensionNames,
  });
  if (!document(root, walk)) return undefined;
  return name === 'openapi' ? findIdenticalPaths(root) : [];
}

function shapesOf(name: DocumentName, version: string): DocumentShapes | undefined {
  const minor = /^3\.[01]/u.exec(version)?.[0];
  if (minor !== '3.0' && minor !== '3.1') return undefined;
  const key = name === 'asyncapi' ? name : minor;
  const shapes =
    made.get(key) ?? (key === 'asyncapi' ? createAsyncapiShapes() : createOpenapiShapes(key));
  made.set(key, shapes);
  return shapes;
}
