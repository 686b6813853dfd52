import type { Operation } from '../../contract/contract.ts';
import { sequenceOf } from '../../contract/lower/sequences.ts';
import { takesBody } from './plan.ts';

/** How a body travels. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary' | 'events' | 'lines';

/** The kind of a media type. */
export function kindOf(mediaType: string): BodyKind {
  const sequence = sequenceOf(mediaType);
  if (sequence !== undefined) return sequence;
  const type = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (/[/+]json$/u.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  return type.startsWith('text/') || /[/+]xml$/u.test(type) ? 'text' : 'binary';
}

/** The media types that a body of an operation can have; none where `fetch` would not send one. */
export function requestContent({
  method,
  requestBody,
}: Operation): NonNullable<Operation['requestBody']>['content'] {
  return takesBody(method) ? (requestBody?.content ?? []) : [];
}

/** The media types of a response; none where HTTP has no body. */
export function responseContent(
  { method }: Operation,
  { status, content }: Operation['responses'][number],
): Operation['responses'][number]['content'] {
  return method === 'HEAD' || status === '204' || status === '304' ? [] : content;
}
