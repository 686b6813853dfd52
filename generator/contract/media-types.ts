import type { Content, Operation } from './contract.ts';
import { sequenceOf } from './sequences.ts';
import { SchemaNode } from '../schema/node.ts';
import { resolveSchema, toReference, type SchemaIndex } from '../schema/references.ts';
import { isBinaryString, isOfTypes } from '../schema/declared-properties.ts';

/** The wire format that a media type stands for. */
type MediaKind = 'json' | 'form' | 'multipart' | 'text' | 'binary' | 'events' | 'lines';

/**
 * The wire format of a body, which decides how the runtime encodes and decodes it. In a range of media types, `value` is
 * a value of the schema and `string` a text of the schema: the content type of each message decides how it is written.
 */
export type BodyKind = MediaKind | 'value' | 'string';

/** Returns the kind of body that a media type stands for. Parameters such as `charset` are ignored. */
export function kindOf(mediaType: string): MediaKind {
  const sequence = sequenceOf(mediaType);
  if (sequence !== undefined) return sequence;
  const type = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (/[/+]json$/u.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  return type.startsWith('text/') || /[/+]xml$/u.test(type) ? 'text' : 'binary';
}

/**
 * Returns the kind of a body. The schema decides it for the ranges that contain JSON or text, such as every media type: the body
 * consists of bytes only without a schema, or where the schema is a string of encoded or raw bytes.
 */
export function bodyKind({ mediaType, schema }: Content, index: SchemaIndex): BodyKind {
  const kind = kindOf(mediaType);
  if (schema === undefined || !/^(?:\*|application|text)\/\*\s*(?:;|$)/iu.test(mediaType))
    return kind;
  const reference = toReference(schema);
  const node = new SchemaNode(resolveSchema(index, reference) ?? true);
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
export function requestContent({
  method,
  requestBody,
}: Operation): NonNullable<Operation['requestBody']>['content'] {
  const hasNone = method === 'GET' || method === 'HEAD' || method === 'TRACE';
  return hasNone ? [] : (requestBody?.content ?? []);
}

/** Returns the media types of a response; none for HEAD, 204 and 304, which have no body in HTTP. */
export function responseContent(
  { method }: Operation,
  { status, content }: Operation['responses'][number],
): Operation['responses'][number]['content'] {
  return method === 'HEAD' || status === '204' || status === '304' ? [] : content;
}
