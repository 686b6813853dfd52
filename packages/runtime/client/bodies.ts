import { toJson } from './json.ts';
import {
  isPresent,
  isStructured,
  percent,
  recordEntries,
  toText,
  wellFormed,
  type Encode,
  type Style,
} from './styles.ts';

/** The styles of form properties, by name. Other properties use the default style. */
export type FormStyles = Readonly<
  Record<string, { readonly style: Style; readonly explode?: true; readonly encode?: Encode }>
>;

/**
 * Writes a value as JSON in UTF-8. In a range of media types, it is `application/json`, or `text/json` in that of texts.
 * @throws TypeError for a value that JSON cannot represent
 */
export function json(value: unknown, mediaType: string): Response {
  return typed(toJson(value), inRange(mediaType, 'application/json', 'text/json'));
}

/**
 * Writes `application/x-www-form-urlencoded`. An array of scalars repeats its name.
 * @throws TypeError for a value that is not a plain object, or a property that holds an object
 */
export function formBody(value: unknown, mediaType: string): Response {
  return typed(formText(value, {}), mediaType);
}

/**
 * Returns an encoder for a form in which some properties have their own style. `fallback` writes all other
 * properties.
 */
export function styledForm(
  styles: FormStyles,
  fallback: Style = repeated,
): (value: unknown, mediaType: string) => Response {
  return (value, mediaType) => typed(formText(value, styles, fallback), mediaType);
}

/**
 * Returns the text of a form, as `styledForm` writes it.
 * @throws TypeError for a value that is not a plain object, or a property that its style cannot write
 */
export function formText(value: unknown, styles: FormStyles, fallback: Style = repeated): string {
  const fields = membersOf(value).map(([name, member]) =>
    writeProperty(name, () => {
      const encoding = Object.hasOwn(styles, name) ? styles[name] : undefined;
      if (encoding === undefined) return fallback(name, member, true, plus);
      return encoding.style(name, member, encoding.explode === true, encoding.encode ?? percent);
    }),
  );
  return fields.filter((field) => field !== '').join('&');
}

/**
 * Writes a property of a form that may hold objects and has no style: each object as JSON (OpenAPI 3.1.1, 4.8.15.1). A
 * space is `+`, as in other properties without a style.
 */
export function jsonItems(name: string, value: unknown): string {
  return pairs(name, value, plus, toFormText);
}

/**
 * Writes a text unchanged, in UTF-8. In a range of media types, it is `text/plain`, or bytes where the range has no text.
 * @throws TypeError for a value that is not a string
 */
export function text(value: unknown, mediaType: string): Response {
  if (typeof value !== 'string') throw new TypeError('is not a string');
  const plain = 'text/plain;charset=UTF-8';
  const other = /^application\//i.test(mediaType) ? 'application/octet-stream' : plain;
  return typed(wellFormed(value), inRange(mediaType, other, plain));
}

/**
 * Writes a `Blob`, a buffer, a view of one, a stream, or a string in UTF-8. A stream is read to its end before the
 * request is sent.
 * @throws TypeError for any other value
 */
export function binary(value: unknown, mediaType: string): Response {
  if (typeof value !== 'string' && !isBinary(value))
    throw new TypeError('is not a Blob, a buffer, a stream or a string');
  const valueType =
    value instanceof Blob && value.type !== '' ? value.type : 'application/octet-stream';
  const bytes = typeof value === 'string' ? wellFormed(value) : value;
  return typed(bytes, mediaType.includes('*') ? valueType : mediaType);
}

/**
 * Writes the body of a call that the contract does not declare: texts, forms and bytes as `fetch` does, others as JSON.
 */
export function undeclared(value: unknown): Response {
  if (typeof value === 'string') return new Response(wellFormed(value));
  if (value instanceof URLSearchParams || value instanceof FormData) return new Response(value);
  return isBinary(value) ? binary(value, '*/*') : json(value, 'application/json');
}

/** Returns whether a value is binary: a `Blob`, a buffer, a view of one, or a stream. */
export function isBinary(
  value: unknown,
): value is Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array> {
  return (
    value instanceof Blob ||
    value instanceof ArrayBuffer ||
    value instanceof ReadableStream ||
    ArrayBuffer.isView(value)
  );
}

/**
 * Returns the members of a plain object that are neither null nor undefined.
 * @throws TypeError for a value that is not a plain object
 */
export function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) throw new TypeError('is not an object');
  return recordEntries(value);
}

/** Returns the text of a form value: a scalar unchanged, an array or a plain object as JSON. */
export function toFormText(value: unknown): string {
  if (!isStructured(value)) return toText(value);
  if (!Array.isArray(value)) recordEntries(value);
  return toJson(value);
}

/** Calls a function that writes a property, and adds the name of the property to its TypeError. */
export function writeProperty<T>(name: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = `has a property ${JSON.stringify(name)} that ${error.message}`;
    throw new TypeError(message, { cause: error });
  }
}

function repeated(name: string, value: unknown, _: boolean, encode: Encode): string {
  return pairs(name, value, encode, toText);
}

function pairs(
  name: string,
  value: unknown,
  encode: Encode,
  write: (item: unknown) => string,
): string {
  return [value]
    .flat()
    .filter(isPresent)
    .map((item) => `${encode(name)}=${encode(write(item))}`)
    .join('&');
}

/** Encodes a text as HTML forms do, with `+` for a space. */
function plus(text: string): string {
  return new URLSearchParams([['', wellFormed(text)]]).toString().slice(1);
}

/** Returns the media type that a body is sent with: that of the contract, unless it is a range. */
function inRange(mediaType: string, ofOthers: string, ofTexts: string): string {
  if (!mediaType.includes('*')) return mediaType;
  return /^text\//i.test(mediaType) ? ofTexts : ofOthers;
}

function typed(value: BodyInit, mediaType: string): Response {
  return new Response(value, { headers: { 'content-type': mediaType } });
}
