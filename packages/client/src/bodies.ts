import { percent, type Encode, type Style } from './styles.ts';

/** How properties of a form are written that do not travel as plain texts. */
export type FormStyles = Readonly<
  Record<string, { readonly style: Style; readonly explode?: true; readonly encode?: Encode }>
>;

/** A JSON text in UTF-8. */
export function json(value: unknown, mediaType: string): Response {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError('is no JSON value');
  return typed(text, mediaType);
}

/** `application/x-www-form-urlencoded`: an array repeats its name, an object is written as JSON. */
export function formBody(value: unknown, mediaType: string): Response {
  return typed(writeForm(membersOf(value)), mediaType);
}

/** A form of which some properties have a style of their own. */
export function styledForm(styles: FormStyles): (value: unknown, mediaType: string) => Response {
  return (value, mediaType) =>
    typed(
      membersOf(value)
        .map(([name, member]) => {
          const own = Object.hasOwn(styles, name) ? styles[name] : undefined;
          if (own === undefined) return writeForm([[name, member]]);
          return own.style(name, member, own.explode === true, own.encode ?? percent);
        })
        .filter((part) => part !== '')
        .join('&'),
      mediaType,
    );
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
): value is Blob | BufferSource | ReadableStream<Uint8Array> {
  return (
    value instanceof Blob ||
    value instanceof ArrayBuffer ||
    value instanceof ReadableStream ||
    ArrayBuffer.isView(value)
  );
}

/** The members of an object that are there, an array's items each by itself. */
export function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) throw new TypeError('is no object');
  return Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
}

/** A text of a form: a text as it is, everything else as JSON, which writes other scalars as they are. */
export function toFormText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function writeForm(members: readonly (readonly [string, unknown])[]): string {
  const written = new URLSearchParams();
  for (const [name, member] of members) {
    for (const item of Array.isArray(member) ? member : [member]) {
      written.append(name, toFormText(item));
    }
  }
  return written.toString();
}

function typed(value: BodyInit, mediaType: string): Response {
  return new Response(value, { headers: { 'content-type': mediaType } });
}
