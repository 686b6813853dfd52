import type { BodyKind, Content, Operation, Response, StatedContent } from './contract.ts';
import { isRangeOfText, kindOf, parametersOf, typeOf } from '../specification/media-type.ts';
import { SchemaNode } from '../schema/node.ts';
import { resolveSchema, toReference, type SchemaIndex } from '../schema/references.ts';
import { hasBinaryFormat, isBinaryString, isOfTypes } from '../schema/declared-properties.ts';

/** Adds to what the contract states of a body what its media type and its schema mean. */
export function describeContent(content: StatedContent, index: SchemaIndex): Content {
  const { mediaType } = content;
  return {
    ...content,
    type: typeOf(mediaType),
    parameters: parametersOf(mediaType),
    kind: bodyKind(content, index),
  };
}

/**
 * Returns the kind of a body. `format: binary` states bytes under every media type (OpenAPI 3.0.4, section 4.7.14.2), but
 * not for the parts of `multipart`. The schema also decides it for the ranges that contain JSON or text, such as every media type: the body
 * consists of bytes only without a schema, or where the schema is a string of encoded or raw bytes.
 */
function bodyKind({ mediaType, schema }: StatedContent, index: SchemaIndex): BodyKind {
  const kind = kindOf(mediaType);
  if (schema === undefined) return kind;
  const reference = toReference(schema);
  const node = new SchemaNode(resolveSchema(index, reference) ?? true);
  if (kind !== 'multipart' && hasBinaryFormat(index, reference)) return 'binary';
  if (!isRangeOfText(mediaType)) return kind;
  const isBytes =
    isBinaryString(node) || node.text('format') === 'byte' || node.has('contentEncoding');
  if (isBytes) return kind;
  return isOfTypes(index, reference, new Set(['string'])) ? 'string' : 'value';
}

/** Returns whether a body of this kind is a sequence of items, which a call returns as they arrive. */
export function isSequence(kind: BodyKind): boolean {
  return kind === 'events' || kind === 'lines';
}

/**
 * Returns the media types of an operation's request body; none for a method whose requests cannot have a body: `fetch`
 * rejects one with GET and HEAD, and HTTP forbids one with TRACE.
 */
export function requestContent({ method, requestBody }: Operation): readonly Content[] {
  const hasNone = method === 'GET' || method === 'HEAD' || method === 'TRACE';
  return hasNone ? [] : (requestBody?.content ?? []);
}

/** Returns the media types of a response; none for HEAD, 204 and 304, which have no body in HTTP. */
export function responseContent(
  { method }: Operation,
  { status, content }: Response,
): readonly Content[] {
  return method === 'HEAD' || status === '204' || status === '304' ? [] : content;
}
