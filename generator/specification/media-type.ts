/** The wire format that a media type stands for. */
export type MediaKind = 'json' | 'form' | 'multipart' | 'text' | 'binary' | 'events' | 'lines';

/** The media type of a form in a body. */
export const formType = 'application/x-www-form-urlencoded';

/**
 * Returns the type and subtype of a media type without its parameters, in lower case.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
 */
export function typeOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Returns the parameters of a media type by name in lower case. */
export function parametersOf(mediaType: string): Readonly<Record<string, string>> {
  const parameters = mediaType.matchAll(
    /;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gu,
  );
  return Object.fromEntries(
    Array.from(parameters, ([, name = '', quoted, text = '']) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/gu, '$1') ?? text,
    ]),
  );
}

/**
 * Returns the wire format that a media type stands for. A suffix decides it for types with a structure of their own, such
 * as `application/problem+json`.
 * @see https://www.rfc-editor.org/rfc/rfc6839#section-3
 */
export function kindOf(mediaType: string): MediaKind {
  const type = typeOf(mediaType);
  if (/[/+]json$/u.test(type)) return 'json';
  if (type === formType) return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  if (type === 'text/event-stream') return 'events';
  if (/^application\/(?:x-)?(?:ndjson|jsonl)$/u.test(type)) return 'lines';
  return type.startsWith('text/') || isXml(mediaType) ? 'text' : 'binary';
}

/** Returns whether a media type is XML. */
export function isXml(mediaType: string): boolean {
  return /[/+]xml$/u.test(typeOf(mediaType));
}

/** Returns whether the items of a media type arrive one after the other, as long as a response is open. */
export function isStreamed(mediaType: string): boolean {
  const kind = kindOf(mediaType);
  return kind === 'events' || kind === 'lines' || /[/+]json-seq$/u.test(typeOf(mediaType));
}

/** Returns whether a media type is a range, such as `text/*`. */
export function isRange(mediaType: string): boolean {
  return typeOf(mediaType).includes('*');
}

/** Returns whether a media type is a range that contains JSON and text. */
export function isRangeOfText(mediaType: string): boolean {
  return /^(?:\*|application|text)\/\*$/u.test(typeOf(mediaType));
}

/**
 * Returns whether a text is a media type or a range, with parameters of visible characters.
 * @see https://www.rfc-editor.org/rfc/rfc6838#section-4.2
 */
export function isMediaType(text: string): boolean {
  return /^[\w!#$&*^.+-]+\/[\w!#$&*^.+-]+[\t ]*(?:;[\t -~]*)?$/u.test(text);
}
