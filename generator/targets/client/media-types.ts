import type { Operation } from '../../contract/contract.ts';
import { sequenceOf } from '../../contract/lower/sequences.ts';

/** The wire format of a body, which decides how the runtime encodes and decodes it. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary' | 'events' | 'lines';

/** Returns the kind of body that a media type stands for. Parameters such as `charset` are ignored. */
export function kindOf(mediaType: string): BodyKind {
  const sequence = sequenceOf(mediaType);
  if (sequence !== undefined) return sequence;
  const type = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (/[/+]json$/u.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  return type.startsWith('text/') || /[/+]xml$/u.test(type) ? 'text' : 'binary';
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
