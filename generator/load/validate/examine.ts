import type { JsonObject } from '../../json/json.ts';
import type { DocumentName } from '../../json/pointer.ts';
import type { LocatedProblem } from '../../diagnostics/problem.ts';
import { createAsyncapiShapes } from '../../specification/asyncapi-shapes.ts';
import { createOpenapiShapes } from '../../specification/openapi-shapes.ts';
import { findIdenticalPaths } from '../../specification/openapi-rules.ts';
import { Walk, type DocumentShapes } from '../../specification/shapes.ts';

/** The shapes of each specification, created when first needed. */
const made = new Map<string, DocumentShapes>();

/**
 * Validates a document without Redocly and swagger-parser. For a document that is certainly valid and refers to no
 * other file, returns the problems that these tools would still report: identical paths. Returns `undefined` for any
 * other document, which these tools have to check.
 *
 * Most documents are valid, and this check takes a tenth of the time that loading and running the tools takes.
 */
export function examine(
  root: JsonObject,
  name: DocumentName,
  version: string,
  usesVocabulary: boolean,
): readonly LocatedProblem[] | undefined {
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
