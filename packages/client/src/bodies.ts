import { toJson } from './json.ts';
import {
  isPresent,
  isStructured,
  percent,
  recordEntries,
  toText,
  type Encode,
  type Style,
} from './styles.ts';

/** How properties of a form are written that are not scalars or arrays of scalars. */
export type FormStyles = Readonly<
  Record<string, { readonly style: Style; readonly explode?: true; readonly encode?: Encode }>
>;

/** A JSON text in UTF-8. */
export function json(value: unknown, mediaType: string): Response {
  return typed(toJson(value), mediaType);
}

/** `application/x-www-form-urlencoded`: an array of scalars repeats its name; objects are refused. */
export function formBody(value: unknown, mediaType: string): Response {
  return writeForm(value, mediaType, {}, repeated);
}

/** A form of which some properties have a style of their own; `others` writes all other properties. */
export function styledForm(
  styles: FormStyles,
  others: Style = repeated,
): (value: unknown, mediaType: string) => Response {
  return (value, mediaType) => writeForm(value, mediaType, styles, others);
}

/** A property that can hold objects and has no style: each object is JSON (OpenAPI 3.1.1, 4.8.15.1). */
export function jsonItems(name: string, value: unknown, _: boolean, encode: Encode): string {
  return pairs(name, value, encode, toFormText);
}

/** Text as it is, in UTF-8. */
export function text(value: unknown, mediaType: string): Response {
  if (typeof value !== 'string') throw new TypeError('is no text');
  return typed(value, mediaType);
}

/** Bytes as they are: a `Blob`, a buffer, a view of one, or a stream, which is read to its end first. */
export function binary(value: unknown, mediaType: string): Response {
  if (typeof value !== 'string' && !isBinary(value)) throw new TypeError('is not binary');
  const own = value instanceof Blob && value.type !== '' ? value.type : 'application/octet-stream';
  return typed(value, mediaType.includes('*') ? own : mediaType);
}

/** What a call that the contract does not declare is given: texts, forms and bytes as `fetch` sends them, else JSON. */
export function undeclared(value: unknown): Response {
  if (typeof value === 'string' || value instanceof URLSearchParams || value instanceof FormData) {
    return new Response(value);
  }
  return isBinary(value) ? binary(value, '*/*') : json(value, 'application/json');
}

/** Whether a value is bytes in one of the forms that Web standards have for them. */
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

/** The present members of an object. */
export function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) throw new TypeError('is no object');
  return recordEntries(value);
}

/** A text of a form: a scalar as it is, an array or a plain object as JSON. */
export function toFormText(value: unknown): string {
  if (!isStructured(value)) return toText(value);
  if (!Array.isArray(value)) recordEntries(value);
  return toJson(value);
}

/** Runs what writes a property, and names the property in its error. */
export function writeProperty<T>(name: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = `has a property ${JSON.stringify(name)} that ${error.message}`;
    throw new TypeError(message, { cause: error });
  }
}

function writeForm(value: unknown, mediaType: string, styles: FormStyles, others: Style): Response {
  const fields = membersOf(value).map(([name, member]) =>
    writeProperty(name, () => {
      const own = Object.hasOwn(styles, name) ? styles[name] : undefined;
      if (own === undefined) return others(name, member, true, plus);
      return own.style(name, member, own.explode === true, own.encode ?? percent);
    }),
  );
  return typed(fields.filter((field) => field !== '').join('&'), mediaType);
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

/** The encoding of HTML forms, which has `+` for a space. */
function plus(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

function typed(value: BodyInit, mediaType: string): Response {
  return new Response(value, { headers: { 'content-type': mediaType } });
}
