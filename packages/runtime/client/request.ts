// How a call becomes a request: parameters in their styles, bodies, and the draft that credentials are added to.
import {
  type BlobPieces,
  GrowingBytes,
  type NumberMode,
  essenceOf,
  isExactNumber,
  ownMember,
  toHex,
} from '../base/index.ts';
import type {
  Encode,
  Input,
  InputChecks,
  OperationData,
  ParameterDescription,
  Style,
  Violation,
} from './description.ts';
import { ClientError, firstViolation, invalidInput, invalidOption } from './errors.ts';

/**
 * Parses JSON.
 * @param numbers what to do with a number that no double represents exactly: `refuse` it, return it as `text`, or
 * `round` it to the nearest double, for validation
 * @throws SyntaxError for text that is not JSON
 * @throws RangeError for a number too large for a double, or a refused number
 */
export function parseJson(text: string, numbers: NumberMode | 'round'): unknown {
  const value: unknown = JSON.parse(text);
  const quoted = quoteInexact(text);
  if (quoted === text || numbers === 'round') return value;
  if (numbers === 'refuse')
    throw new RangeError('contains a number that no double represents exactly (see `numbers`)');
  return JSON.parse(quoted);
}

/**
 * Matches texts that can contain an inexact number. A decimal of up to 15 digits without an exponent is always exact.
 */
const mayBeInexact = /\d[\d.]{14}|\d[Ee]/;

const number = /-?\d[\d.Ee+-]*/y;

/**
 * Returns a JSON text with quotes around each number that no double represents exactly.
 * @throws RangeError for a number too large for a double
 */
function quoteInexact(text: string): string {
  if (!mayBeInexact.test(text)) return text;
  let quoted = '';
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      number.lastIndex = at;
      const [literal = character] = number.exec(text) ?? [];
      if (mayBeInexact.test(literal) && !isExactNumber(literal)) {
        if (!Number.isFinite(Number(literal)))
          throw new RangeError('contains a number that is too large for a double');
        quoted += `${text.slice(done, at)}"${literal}"`;
        done = at + literal.length;
      }
      at += literal.length - 1;
    }
  }
  return done === 0 ? text : quoted + text.slice(done);
}

/**
 * Writes a value as JSON. Writes a bigint, and a number created by `JSON.rawJSON`, with all digits.
 * @throws TypeError for a value that JSON cannot represent. `JSON.stringify` writes NaN, infinite numbers and invalid
 * dates as `null`
 */
export function toJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value) as string | undefined;
  } catch {
    // A bigint, or an error that the second attempt explains.
  }
  // Checking every member takes several times as long, and few values need it.
  if (text === undefined || text.includes('null')) text = JSON.stringify(value, writeMember);
  if (text === undefined) throw new TypeError('is not a JSON value');
  return text;
}

function writeMember(this: unknown, key: string, member: unknown): unknown {
  if (typeof member === 'bigint') return toRawJson(String(member));
  if (typeof member === 'number' && !Number.isFinite(member))
    throw new TypeError('contains NaN or an infinite number, which JSON cannot represent');
  if (member === null && (this as Readonly<Record<string, unknown>>)[key] instanceof Date)
    throw new TypeError('contains an invalid date');
  return member;
}

/**
 * The JSON methods of https://tc39.es/proposal-json-parse-with-source. Node 22 and other platforms of 2024 have them.
 */
interface RawJson {
  readonly rawJSON?: (text: string) => unknown;
  readonly isRawJSON?: (value: unknown) => value is { readonly rawJSON: string };
}

function toRawJson(text: string): unknown {
  const { rawJSON } = JSON as RawJson;
  if (rawJSON !== undefined) return rawJSON(text);
  throw new TypeError('contains a bigint, which a platform without JSON.rawJSON cannot write');
}

/** Returns the text of a number created by `JSON.rawJSON`, or `undefined` for any other value. */
function rawNumber(value: unknown): string | undefined {
  if ((JSON as RawJson).isRawJSON?.(value) !== true) return undefined;
  return /^-?\d/.test(value.rawJSON) ? value.rawJSON : undefined;
}

/**
 * Returns a text that UTF-8 can represent.
 * @throws TypeError for a lone surrogate, which platforms silently replace by another character
 */
export function wellFormed(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('contains a lone surrogate');
  return text;
}

/**
 * Escapes all but the unreserved characters of RFC 3986, so that no URL parser changes the text.
 * @throws TypeError for a lone surrogate
 */
export function percent(text: string): string {
  return encodeURIComponent(wellFormed(text)).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Escapes a text for `allowReserved` in a query. Keeps reserved characters and existing escapes, except for characters
 * that would end the value or have a meaning in a query.
 */
export function reserved(text: string): string {
  return percent(text)
    .replaceAll(/%(?:3A|2F|3F|40|21|24|28|29|2A|2C|3B|3D)/g, decodeURIComponent)
    .replaceAll(/%25(?=[0-9A-Fa-f]{2})/g, '%');
}

/**
 * Escapes a text for `allowReserved` in a path. `/` separates segments. Other reserved characters stay, except for `?`,
 * `#`, brackets and `;`. Some servers remove `;` before they resolve dot segments. Escapes `%`, because the value is
 * plain text.
 * @throws TypeError for a line end, or a segment that is empty or that a server could resolve to another path
 */
export function reservedPath(text: string): string {
  if (/[\r\n]/.test(text) || text.split('/').some((segment) => /^(?:\.|%2e){0,2}$/i.test(segment)))
    throw new TypeError('contains an empty segment, a dot segment or a line end');
  return percent(text).replaceAll(
    /%(?:21|24|26|27|28|29|2A|2B|2C|2F|3A|3D|40)/g,
    decodeURIComponent,
  );
}

/** How often a path is decoded to find dot segments. */
const maxDecodings = 5;

/**
 * Returns whether a path has a dot segment, as it is or after servers have decoded it once or repeatedly. Some servers
 * treat a backslash as a slash, or ignore what follows `;` in a segment. Every path that is escaped more often than
 * anyone would need counts too.
 */
function hasDotSegment(path: string): boolean {
  let text = path;
  for (let decodings = 0; decodings <= maxDecodings; decodings++) {
    if (text.split(/[/\\]/).some((segment) => /^\.{1,2}(?:;|$)/.test(segment))) return true;
    const decoded = text.replaceAll(/%[0-7][0-9a-f]/gi, (escape) =>
      String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

/** Writes the style `simple`: `blue,black`, `R,100,G,200`; exploded `R=100,G=200`. */
export function simple(_: string, value: unknown, explode: boolean, encode: Encode): string {
  return itemsOf(value, encode, explode ? '=' : ',').join(',');
}

/** Writes the style `label`: `.blue,black`; exploded `.blue.black`, `.R=100.G=200`. */
export function label(_: string, value: unknown, explode: boolean, encode: Encode): string {
  const separator = explode ? '.' : ',';
  return `.${itemsOf(value, encode, explode ? '=' : ',', separator).join(separator)}`;
}

/** Writes the style `matrix`: `;color=blue,black`; exploded `;color=blue;color=black`, `;R=100;G=200`. */
export function matrix(name: string, value: unknown, explode: boolean, encode: Encode): string {
  return named(percent(name), value, explode, encode)
    .map((pair) => `;${pair.replace(/=$/, '')}`)
    .join('');
}

/** Writes the style `form`: `color=blue,black`; exploded `color=blue&color=black`, `R=100&G=200`. */
export function form(name: string, value: unknown, explode: boolean, encode: Encode): string {
  return named(percent(name), value, explode, encode).join('&');
}

/** Writes the styles `form` and `cookie` in a `Cookie` header, with `; ` between exploded items. */
export function cookie(name: string, value: unknown, explode: boolean, encode: Encode): string {
  return named(percent(name), value, explode, encode).join('; ');
}

/**
 * Returns a text for the style `cookie` of OpenAPI 3.2, which does not escape it.
 * @throws TypeError for a character that no cookie may contain (RFC 6265, section 4.1.1)
 */
export function cookieValue(text: string): string {
  if (/[^!#-+\--:<-[\]-~]/.test(text))
    throw new TypeError('contains a character that a cookie cannot contain');
  return text;
}

/**
 * Writes the style `spaceDelimited`: `color=blue%20black`. Exploded, it is the style `form`.
 * @throws TypeError for an item with a space, unless exploded
 */
export function spaceDelimited(
  name: string,
  value: unknown,
  explode: boolean,
  encode: Encode,
): string {
  return delimited(name, value, explode, encode, ' ');
}

/**
 * Writes the style `pipeDelimited`: `color=blue%7Cblack`. Exploded, it is the style `form`.
 * @throws TypeError for an item with a `|`, unless exploded
 */
export function pipeDelimited(
  name: string,
  value: unknown,
  explode: boolean,
  encode: Encode,
): string {
  return delimited(name, value, explode, encode, '|');
}

/** Returns the brackets of an array's item. Arrays that contain objects or arrays always have indices. */
type Brackets = (index: number) => string;

const indices: Brackets = (index) => `[${index}]`;

/**
 * Writes the style `deepObject` to any depth: `color%5BR%5D=100&color%5BG%5D=200`, and `color%5B0%5D=blue` for array
 * items.
 */
export function deepObject(name: string, value: unknown, _: boolean, encode: Encode): string {
  return deep(name, value, encode, indices);
}

/** Writes the style `deepObject`, with `color%5B%5D=blue` for the items of an array of scalars. */
export function deepObjectBrackets(
  name: string,
  value: unknown,
  _: boolean,
  encode: Encode,
): string {
  return deep(name, value, encode, () => '[]');
}

/** Writes the style `deepObject`, with `color=blue&color=black` for an array of scalars. */
export function deepObjectRepeat(name: string, value: unknown, _: boolean, encode: Encode): string {
  return deep(name, value, encode, () => '');
}

/** Writes a parameter that its `content` declares as JSON, without its name. */
export function jsonValue(_: string, value: unknown, _explode: boolean, encode: Encode): string {
  return encode(toJson(value));
}

/** Writes a parameter that its `content` declares as JSON, with its name: `name=value`. */
export function jsonPair(name: string, value: unknown, _: boolean, encode: Encode): string {
  return `${percent(name)}=${encode(toJson(value))}`;
}

/**
 * Writes a scalar. Writes a bigint, and a number created by `JSON.rawJSON`, with all digits.
 * @throws TypeError for every other value
 */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) {
    return String(value);
  }
  const raw = rawNumber(value);
  if (raw !== undefined) return raw;
  throw new TypeError('contains a value that its style cannot represent');
}

/** Returns whether a value is an object or an array, and not a scalar. */
function isStructured(value: unknown): value is object {
  return typeof value === 'object' && value !== null && rawNumber(value) === undefined;
}

/** Returns whether a value is neither null nor undefined. RFC 6570, section 2.3 treats null as undefined. */
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * Returns the members of a plain object that are neither null nor undefined.
 * @throws TypeError for another object, such as a Date
 */
function recordEntries(value: object): readonly (readonly [string, unknown])[] {
  return plainEntries(value).filter(([, member]) => isPresent(member));
}

/** @throws TypeError for an object that is not plain, such as a Date */
function plainEntries(value: object): readonly (readonly [string, unknown])[] {
  if (Object.prototype.toString.call(value) !== '[object Object]' || 'toJSON' in value) {
    throw new TypeError('contains an object that is not a plain object, such as a Date');
  }
  return Object.entries(value);
}

function deep(prefix: string, value: unknown, encode: Encode, brackets: Brackets): string {
  if (!isStructured(value)) {
    return `${percent(prefix)}=${encode(toText(value))}`;
  }
  let members: readonly (readonly [string, unknown])[];
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value.filter(isPresent);
    // Without indices, the members of consecutive items could not be distinguished.
    const write = items.some(isStructured) ? indices : brackets;
    members = items.map((item, index) => [write(index), item]);
  } else members = recordEntries(value).map(([key, member]) => [`[${keyInBrackets(key)}]`, member]);
  return members
    .map(([key, member]) => deep(prefix + key, member, encode, brackets))
    .filter((text) => text !== '')
    .join('&');
}

/** @throws TypeError for a name that would be read as that of another member */
function keyInBrackets(key: string): string {
  if (key === '' || /[[\]]/.test(key))
    throw new TypeError('has a member whose name is empty or contains a bracket');
  return key;
}

function delimited(
  name: string,
  value: unknown,
  explode: boolean,
  encode: Encode,
  delimiter: string,
): string {
  if (explode) return form(name, value, explode, encode);
  // An escaped delimiter in an item would be read as the delimiter itself.
  const encodeItem: Encode = (text) => {
    if (text.includes(delimiter)) throw new TypeError('contains the delimiter of its style');
    return encode(text);
  };
  const items = itemsOf(value, encodeItem, percent(delimiter), percent(delimiter));
  return items.length === 0 ? '' : `${percent(name)}=${items.join(percent(delimiter))}`;
}

function named(name: string, value: unknown, explode: boolean, encode: Encode): readonly string[] {
  const items = itemsOf(value, encode, explode ? '=' : ',', explode ? '&' : ',');
  if (items.length === 0) return [];
  if (!explode) return [`${name}=${items.join(',')}`];
  return isStructured(value) && !Array.isArray(value)
    ? items
    : items.map((item) => `${name}=${item}`);
}

/**
 * Returns the escaped scalars of a value; those of an object follow their names.
 * @param separator what separates them
 * @throws TypeError for a scalar that contains what separates it from the next one: other values have the same text
 */
function itemsOf(
  value: unknown,
  encode: Encode,
  between: string,
  separator = ',',
): readonly string[] {
  if (!isStructured(value)) return [encode(toText(value))];
  const write = (text: string, ...delimiters: readonly string[]): string => {
    const written = encode(text);
    if (delimiters.some((delimiter) => written.includes(delimiter)))
      throw new TypeError('contains the delimiter of its style');
    return written;
  };
  if (Array.isArray(value))
    return value.filter(isPresent).map((item) => write(toText(item), separator));
  return recordEntries(value).map(
    ([key, item]) => write(key, separator, between) + between + write(toText(item), separator),
  );
}

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
      const encoding = ownMember(styles, name);
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
  const other = essenceOf(mediaType).startsWith('application/')
    ? 'application/octet-stream'
    : plain;
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
  return typed(bytes as Body, isRange(mediaType) ? valueType : mediaType);
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
function isBinary(
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
function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) throw new TypeError('is not an object');
  return recordEntries(value);
}

/** Returns the text of a form value: a scalar unchanged, an array or a plain object as JSON. */
function toFormText(value: unknown): string {
  if (!isStructured(value)) return toText(value);
  if (!Array.isArray(value)) recordEntries(value);
  return toJson(value);
}

/** Calls a function that writes a property, and adds the name of the property to its TypeError. */
function writeProperty<T>(name: string, write: () => T): T {
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
  if (!isRange(mediaType)) return mediaType;
  return essenceOf(mediaType).startsWith('text/') ? ofTexts : ofOthers;
}

function isRange(mediaType: string): boolean {
  return essenceOf(mediaType).includes('*');
}

/** What a response is made of. Its name in the types of browsers is unknown to those of Node. */
type Body = ConstructorParameters<typeof Response>[0];

function typed(value: Body, mediaType: string): Response {
  return new Response(value, { headers: { 'content-type': mediaType } });
}

/** The options of a part of a multipart body. */
export interface PartOptions {
  /** The media type of the part. Default: that of the contract or of the value. */
  readonly mediaType?: string;
  /** The file name of the part. Default: the name of a `File`, `blob` for other binary values, none for others. */
  readonly fileName?: string;
  /** Additional headers of the part. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A value of a multipart body with its own media type, file name or headers. */
export interface Part<T = unknown> extends PartOptions {
  readonly value: T;
  readonly '~kind': 'part';
}

/** A multipart body whose properties, and items of array properties, may be parts. */
export type MultipartBody<T> = {
  [Name in keyof T]: PartList<T[Name]> | SinglePart<Exclude<T[Name], readonly unknown[]>>;
};

type PartList<T> = T extends readonly (infer Item)[] ? readonly (Item | Part<Item>)[] : never;

type SinglePart<T> = [NonNullable<T>] extends [never] ? T : T | Part<Exclude<T, undefined>>;

/** How the contract describes the parts of a property, with OpenAPI's Encoding Object. */
export interface PartDescription {
  /** The media type of each part. */
  readonly type?: string;
  /** The media types and ranges, such as `image/*`, that a part can have. */
  readonly types?: readonly string[];
  /** Headers with a constant value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of headers that the caller must give. */
  readonly required?: readonly string[];
}

/** Returns a part of a multipart body with its own media type, file name or headers. */
export function part<T>(value: T, options: PartOptions = {}): Part<T> {
  return { ...options, value, '~kind': 'part' };
}

/**
 * Writes a multipart body such as `multipart/form-data`. An array repeats its name, a binary value becomes a file, and
 * an object is written as JSON.
 * @throws TypeError for a value that cannot be written, such as a stream
 */
export function multipart(value: unknown, mediaType: string): Response {
  return write(value, mediaType, {});
}

/** Returns an encoder for a multipart body some of whose parts the contract describes. */
export function typedMultipart(
  parts: Readonly<Record<string, PartDescription>>,
): (value: unknown, mediaType: string) => Response {
  return (value, mediaType) => write(value, mediaType, parts);
}

/** Writes the body without `FormData`, which turns every part with a media type into a file. */
function write(
  value: unknown,
  mediaType: string,
  parts: Readonly<Record<string, PartDescription>>,
): Response {
  const boundary = crypto.randomUUID();
  const pieces: BlobPieces = [];
  for (const [name, member] of membersOf(value)) {
    const description = ownMember(parts, name);
    for (const item of [member].flat().filter(isPresent)) {
      pieces.push(
        `--${boundary}\r\n`,
        ...writeProperty(name, () => writePart(name, item, description)),
        '\r\n',
      );
    }
  }
  const type = `${mediaType}; boundary=${boundary}`;
  return new Response(new Blob([...pieces, `--${boundary}--\r\n`]), {
    headers: { 'content-type': type },
  });
}

function writePart(
  name: string,
  item: unknown,
  { type, types, headers, required = [] }: PartDescription = {},
): BlobPieces {
  const formPart: Part = isPart(item) ? item : part(item);
  const { value } = formPart;
  if (value instanceof ReadableStream) throw new TypeError('is a stream; pass a Blob instead');
  const isFile = isBinary(value);
  const fileName = formPart.fileName ?? nameOf(value) ?? (isFile ? 'blob' : undefined);
  const file = fileName === undefined ? '' : `; filename="${escapeName(fileName)}"`;
  const mediaType = formPart.mediaType ?? type ?? allowedType(defaultType(value), types);
  const partHeaders = { ...headers, ...formPart.headers };
  const names = Object.keys(partHeaders).map((header) => header.toLowerCase());
  for (const header of required) {
    if (!names.includes(header.toLowerCase()))
      throw new TypeError(`requires the header ${JSON.stringify(header)} in each part`);
  }
  const lines = [
    `Content-Disposition: form-data; name="${escapeName(name)}"${file}`,
    ...(mediaType === undefined ? [] : [headerLine('Content-Type', mediaType)]),
    ...Object.entries(partHeaders).map(([header, text]) => headerLine(header, text)),
  ];
  return [
    `${lines.join('\r\n')}\r\n\r\n`,
    isFile ? (value as BlobPieces[number]) : wellFormed(toFormText(value)),
  ];
}

function isPart(item: unknown): item is Part {
  return typeof item === 'object' && item !== null && '~kind' in item && item['~kind'] === 'part';
}

/**
 * Writes a header as RFC 9110, sections 5.1 and 5.5 define it. The name is a token. The value is visible ASCII, with
 * spaces and tabs only in between.
 */
function headerLine(name: string, text: string): string {
  const isHeader = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/^content-disposition$/i.test(name);
  if (!isHeader || !/^(?:[!-~](?:[\t -~]*[!-~])?)?$/.test(text))
    throw new TypeError(`has a header ${JSON.stringify(name)} that a part cannot have`);
  return `${name}: ${text}`;
}

/**
 * Returns the media type of a value if it is allowed, and otherwise the first type that is allowed.
 * @param type the media type of the value; `undefined` for a text, which needs none
 * @throws TypeError if only ranges are allowed, and none has the type of the value
 */
function allowedType(
  type: string | undefined,
  allowed: readonly string[] = [],
): string | undefined {
  if (allowed.length === 0) return type;
  const essence = essenceOf(type ?? 'text/plain');
  const isAllowed = allowed.some((range) => {
    const wanted = essenceOf(range);
    return wanted === '*/*' || wanted === essence || wanted === `${essence.split('/')[0]}/*`;
  });
  if (isAllowed) return type;
  const concrete = allowed.find((range) => !isRange(range));
  if (concrete === undefined)
    throw new TypeError(
      `needs a media type of ${allowed.join(' or ')}; pass a Blob or a part with one`,
    );
  return concrete;
}

/** Returns the default of `contentType` (OpenAPI 3.1.1, 4.8.15.1). A text needs no media type. */
function defaultType(item: unknown): string | undefined {
  if (item instanceof Blob) return item.type === '' ? 'application/octet-stream' : item.type;
  if (isBinary(item)) return 'application/octet-stream';
  return typeof item === 'object' ? 'application/json' : undefined;
}

function nameOf(item: unknown): string | undefined {
  return typeof File === 'function' && item instanceof File ? item.name : undefined;
}

/** Escapes a name as browsers do: HTML, "multipart/form-data encoding algorithm". */
function escapeName(name: string): string {
  return wellFormed(name).replaceAll(/["\r\n]/g, (character) => encodeURIComponent(character));
}

/** A request under construction, one for each attempt. */
export interface Draft {
  readonly method: string;
  /** The current URL, with the query parameters added so far. */
  readonly url: string;
  /** The path of the base address, without a trailing slash. */
  readonly basePath: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The secrets to remove from errors. */
  readonly secrets: Set<string>;
  /**
   * Sets a header, or adds to the header `cookie`.
   * @throws ClientError `invalid-input` for a value that would change when it is sent
   */
  readonly header: (name: string, value: string) => void;
  /** Adds a credential, and remembers it as a secret. */
  readonly secret: (place: 'headers' | 'query' | 'cookies', name: string, value: string) => void;
}

/**
 * Creates a request from the input of a call.
 * @throws ClientError `invalid-input` for a parameter that is missing or cannot be written
 */
export function createDraft(
  method: string,
  base: string,
  template: string,
  parameters: readonly ParameterDescription[],
  input: Input,
  body: Uint8Array<ArrayBuffer>,
  secrets: Set<string>,
  allowReserved: readonly string[] = [],
): Draft {
  const headers = new Headers();
  const query: string[] = [];
  const cookies: string[] = [];
  let path = template;
  const setHeader = (name: string, value: string): void => {
    let kept: string | null = null;
    try {
      headers.set(name, value);
      kept = headers.get(name);
    } catch {
      // Reported below, together with values that fetch would trim: the sent value would differ from the signed one.
    }
    if (kept !== value)
      throw invalidInput(
        `The header ${JSON.stringify(name)} has an invalid name, or a value with line ends, surrounding space or characters outside Latin-1.`,
      );
  };
  const addCookie = (text: string): void => {
    cookies.push(text);
    setHeader('cookie', cookies.join('; '));
  };
  const header = (name: string, value: string): void =>
    name.toLowerCase() === 'cookie' ? addCookie(value) : setHeader(name, value);
  for (const parameter of parameters) {
    const text = writeParameter(parameter, input, allowReserved);
    if (parameter.in === 'path') path = path.replaceAll(`{${parameter.name}}`, () => text);
    else if (text === '') continue;
    else if (parameter.in === 'query') query.push(text);
    else if (parameter.in === 'headers') header(parameter.name, text);
    else addCookie(text);
  }
  return {
    method,
    basePath: base.replace(/^https?:\/\/[^/]*/, ''),
    get url() {
      const mark = path.includes('?') ? '&' : '?';
      return base + path + (query.length === 0 ? '' : mark + query.join('&'));
    },
    headers,
    body,
    secrets,
    header,
    secret(place, name, value) {
      secrets.add(value);
      if (place === 'headers') {
        setHeader(name, value);
        return;
      }
      const text = `${percent(name)}=${percent(wellFormedSecret(name, value))}`;
      if (place === 'query') query.push(text);
      else addCookie(text);
    },
  };
}

/**
 * Asserts that the URL is sent exactly as it was built and signed, because a URL parser does not change it.
 * @throws ClientError `unsafe-url`
 */
export function assertSafeUrl(url: string, base: string): void {
  // The base is origin and path. A URL that starts with it, and continues with a slash or a query, has the same host and
  // no credentials.
  const rest = url.slice(base.length);
  const isBelow = url.startsWith(base) && /^(?:[/?]|$)/.test(rest) && !url.includes('#');
  const [path = ''] = rest.split('?', 1);
  const isSent = isBelow && URL.canParse(url) && new URL(url).href === url;
  if (isSent && !hasDotSegment(path)) return;
  throw new ClientError(
    'unsafe-url',
    'The path contains dot segments or characters that must be escaped.',
  );
}

/**
 * Returns the base address without trailing slashes.
 * @param option the name of the option that has it
 * @throws ClientError `invalid-option` unless it is an http or https URL without query, fragment and credentials
 */
export function toBase(baseUrl: string, option = 'baseUrl'): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isPlain =
    url !== undefined && /^https?:$/.test(url.protocol) && !/[?#]|\p{Surrogate}/u.test(baseUrl);
  if (!isPlain || url.username + url.password !== '')
    throw invalidOption(
      `The option ${option} must be an http or https URL without query, fragment and credentials.`,
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function wellFormedSecret(name: string, value: string): string {
  try {
    return wellFormed(value);
  } catch (cause) {
    throw invalidInput(`The credential ${JSON.stringify(name)} ${(cause as Error).message}.`);
  }
}

function writeParameter(
  parameter: ParameterDescription,
  input: Input,
  allowReserved: readonly string[],
): string {
  const { name, style, scalar, explode = false } = parameter;
  const value = ownMember((input[parameter.in] ?? {}) as Record<string, unknown>, name);
  const fault = (what: string): ClientError =>
    invalidInput(`The ${parameter.in} parameter ${JSON.stringify(name)} ${what}.`);
  if (value === undefined || value === null) {
    if (parameter.required === true || parameter.in === 'path') throw fault('is missing');
    return '';
  }
  try {
    if (scalar === true && typeof value === 'object')
      throw new TypeError('must be a string, a number or a boolean');
    const isPath = parameter.in === 'path';
    const encode = isPath && allowReserved.includes(name) ? reservedPath : parameter.encode;
    const ofPlace =
      parameter.in === 'headers' && isStructured(value) ? headerItem : encodings[parameter.in];
    const text = style(name, value, explode, encode ?? ofPlace);
    // An empty array or object would change the path to that of another resource.
    if (isPath && /^\.?$/.test(text)) throw new TypeError('is empty');
    if (isPath && hasDotSegment(text))
      throw new TypeError('contains a dot segment, which servers resolve to another path');
    return text;
  } catch (error) {
    throw error instanceof TypeError ? fault(error.message) : error;
  }
}

/**
 * Returns an item of a header unchanged.
 * @throws TypeError for an item that recipients leave out or trim (RFC 9110, section 5.6.1)
 */
function headerItem(text: string): string {
  if (/^[\t ]|[\t ]$|^$/.test(text))
    throw new TypeError('has an item that is empty, or begins or ends with a space');
  return text;
}

const encodings = {
  path: escapeSegment,
  query: percent,
  headers: (text: string) => text,
  cookies: percent,
} as const;

/**
 * Escapes a path segment, also its slashes. Refuses a text of slashes only: a server that unescapes and merges them would
 * find the path of another resource.
 */
function escapeSegment(text: string): string {
  if (/^[/\\]*$|[\r\n]/.test(text)) throw new TypeError('is empty or contains a line end');
  return percent(text);
}

/** The default maximum size of a body in bytes: 64 MiB. */
export const defaultMaxBytes: number = 64 * 1024 * 1024;

/**
 * Reads a body to its end. Counts the bytes as they arrive, after decompression, and cancels the body at the limit.
 * @param signal cancels the body when it is aborted, also where `fetch` ignores its signal
 * @param bytes collects the bytes; after an error, it has those that arrived, up to the limit
 * @returns `undefined` for a body above the limit
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
  bytes: GrowingBytes = new GrowingBytes(),
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === null) return bytes.take();
  const reader = body.getReader();
  // Cancelling closes the connection. Its result does not matter to the caller.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel);
  try {
    for (;;) {
      const { value } = await reader.read();
      // Cancelling ends the body as if it were complete.
      signal.throwIfAborted();
      if (value === undefined) return bytes.take();
      if (bytes.length + value.length > maxBytes) {
        bytes.add(value.subarray(0, maxBytes - bytes.length));
        cancel();
        return undefined;
      }
      bytes.add(value);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Creates the error for a response, or an item of a stream, that is larger than the limit. */
export function tooLarge(what: 'response' | 'item of the stream', maxBytes: number): ClientError {
  const message = `The ${what} has more than ${maxBytes} bytes (maxResponseBytes).`;
  return new ClientError('response-too-large', message);
}

/** An encoded body. It is encoded once for all attempts, so that the sent bytes are the signed ones. */
export interface EncodedBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string | null;
}

/**
 * Encodes the body of a call as the contract specifies.
 * @param signal cancels a body that is a stream when it is aborted. The result is then a part of the body
 * @throws ClientError `invalid-input` for a body that is missing, not declared or cannot be written
 */
export async function encodeBody(
  { body }: OperationData,
  { body: value, mediaType }: Input,
  signal: AbortSignal,
): Promise<EncodedBody> {
  if (value === undefined) {
    if (body?.required === true) throw fault('is missing');
    return { bytes: new Uint8Array(), contentType: null };
  }
  const content = body?.content ?? {};
  const type = mediaType ?? Object.keys(content)[0] ?? '';
  const encode = ownMember(content, type);
  if (encode === undefined) throw fault('has a media type that the contract does not declare');
  try {
    const bodyResponse = encode(value, type);
    return {
      bytes: (await readBody(bodyResponse.body, Infinity, signal)) ?? new Uint8Array(),
      contentType: bodyResponse.headers.get('content-type'),
    };
  } catch (error) {
    throw fault(error instanceof TypeError ? error.message : 'cannot be encoded');
  }
}

function fault(what: string): ClientError {
  return invalidInput(`The body ${what}.`);
}

/**
 * Creates the function that checks the input of an operation, before anything is sent. Only what the caller gives is
 * checked: neither credentials nor values that the client generates. What cannot be written is left to the function that
 * writes it.
 * @param violationsOf runs a validator of a parameter
 */
export function createInputCheck<Check>(
  operation: OperationData,
  checks: InputChecks<Check>,
  violationsOf: (check: Check, value: unknown) => readonly Violation[],
): NonNullable<OperationData['checkInput']> {
  let parameters: readonly CheckedParameter[] | undefined;
  return (input, options, { invalidRequest, report }) => {
    if (invalidRequest === 'ignore') return;
    parameters ??= checkedParameters(operation, checks, violationsOf);
    const violations = [
      ...parameters.flatMap((parameter) => parameterViolations(parameter, input, options.headers)),
      ...bodyViolations(operation, checks, input),
    ];
    if (violations.length === 0) return;
    const texts = violations.map(({ pointer, message }) => `${pointer} ${message}`);
    const cause = Object.assign(new Error(texts.join('\n')), { violations });
    if (invalidRequest === 'throw') {
      const shown = texts.slice(0, maxShown).map((text) => text.slice(0, maxText));
      const more = texts.length > maxShown ? `; and ${texts.length - maxShown} more` : '';
      throw new ClientError(
        'invalid-request',
        `${operation.id}: ${shown.join('; ')}${more}. Nothing was sent. If the service accepts it all the same, set invalidRequest to 'report'.`,
        { cause },
      );
    }
    report(
      { type: 'invalid-request', cause },
      {
        code: 'COUNTERSIGN_INVALID_REQUEST',
        message: `The input of ${operation.id} violates its schema${firstViolation(cause)}`,
        help: 'The call continues, because `invalidRequest` is `report`.',
      },
    );
  };
}

/** The maximum number of violations in a message, and that of characters of each. */
const maxShown = 3;
const maxText = 1000;

const places = ['path', 'query', 'headers', 'cookies'] as const;

/** A parameter that has a validator. */
interface CheckedParameter extends Pick<ParameterDescription, 'in' | 'name'> {
  readonly isJson: boolean;
  /** Whether a header of a call can take its place. */
  readonly isHeader: boolean;
  readonly validate: Validate;
}

function checkedParameters<Check>(
  { parameters = [] }: OperationData,
  checks: InputChecks<Check>,
  violationsOf: (check: Check, value: unknown) => readonly Violation[],
): readonly CheckedParameter[] {
  return places.flatMap((place) =>
    Object.entries(checks[place] ?? {}).map(([name, check]) => {
      const described = parameters.find((one) => one.in === place && one.name === name);
      const { style, scalar } = described ?? {};
      return {
        in: place,
        name,
        isJson: style === jsonPair || style === jsonValue,
        isHeader: place === 'headers' && scalar === true,
        validate: (value: unknown) => violationsOf(check, value),
      };
    }),
  );
}

function parameterViolations(
  { in: place, name, isJson, isHeader, validate }: CheckedParameter,
  input: Input,
  headers: Readonly<Record<string, string>> = {},
): readonly Violation[] {
  const given = ownMember((input[place] ?? {}) as Record<string, unknown>, name);
  const value = given ?? (isHeader ? headerNamed(headers, name) : undefined);
  if (!isPresent(value)) return [];
  const violations = isJson ? jsonViolations(validate, value) : textViolations(validate, value);
  return at(`/${place}/${escapeMember(name)}`, violations);
}

/** Returns the value of a header, whatever the case of its name. */
function headerNamed(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([other]) => other.toLowerCase() === wanted)?.[1];
}

function bodyViolations(
  { body: declared }: OperationData,
  { body: checks = {} }: Pick<InputChecks<unknown>, 'body'>,
  { body, mediaType = Object.keys(declared?.content ?? {})[0] ?? '' }: Input,
): readonly Violation[] {
  const validate = ownMember(checks, mediaType);
  if (body === undefined || validate === undefined) return [];
  const isForm = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)$/.test(
    essenceOf(mediaType),
  );
  return at('/body', isForm ? textViolations(validate, body) : jsonViolations(validate, body));
}

type Validate = (value: unknown) => readonly Violation[];

/** Adds a prefix to the pointers of violations. */
function at(prefix: string, violations: readonly Violation[]): readonly Violation[] {
  return violations.map((violation) => ({ ...violation, pointer: prefix + violation.pointer }));
}

/** Returns the violations of the JSON that is sent for a value: a Date is a text, and a member can be left out. */
function jsonViolations(validate: Validate, value: unknown): readonly Violation[] {
  let sent: unknown;
  try {
    sent = isSentAsItIs(value) ? value : JSON.parse(toJson(value));
  } catch {
    return [];
  }
  return validate(sent);
}

/** Returns whether JSON has the same value, so that there is no need to write and parse it. */
function isSentAsItIs(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value !== 'object') return Number.isFinite(value);
  if ('toJSON' in value) return false;
  if (Array.isArray(value)) {
    // Unlike `every`, this finds the holes of a list, which JSON has as null.
    for (const item of value as readonly unknown[]) if (!isSentAsItIs(item)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  // Listing the members takes several times as long.
  for (const name in value)
    if (!isSentAsItIs((value as Readonly<Record<string, unknown>>)[name])) return false;
  return true;
}

/**
 * Returns the violations of a value that is sent as texts. A value counts as valid if a valid one is written alike: the
 * text `10` as the number, a list without its null items.
 */
function textViolations(validate: Validate, value: unknown): readonly Violation[] {
  const validateWith = (isKept: (member: unknown) => boolean) => {
    const bytes: string[] = [];
    const root = { value: toPlain(value, '', bytes, isKept) };
    return { root, validated: () => aboutTexts(validate(root.value), bytes) };
  };
  try {
    if (validateWith(() => true).validated().length === 0) return [];
    const { root, validated } = validateWith(isPresent);
    const violations = validated();
    for (const pointer of new Set(violations.map((violation) => violation.pointer)))
      readOtherwise(root, pointer);
    return validated().length === 0 ? [] : violations;
  } catch {
    return [];
  }
}

/** The keywords whose result for a value depends on the results for its members and items. */
const unions = /^(?:anyOf|oneOf|not|if|contains|unevaluated\w+)$/;

/**
 * Returns the violations that are not about bytes, which no validator can read. A `oneOf` of which no alternative fails
 * is none: a text can be several of them, such as a text and a file.
 */
function aboutTexts(
  violations: readonly Violation[],
  bytes: readonly string[],
): readonly Violation[] {
  const isUnknown = violations.some(
    ({ keyword, pointer }) =>
      unions.test(keyword) && bytes.some((place) => place.startsWith(`${pointer}/`)),
  );
  if (isUnknown) return [];
  const isIn = (pointer: string, place: string): boolean =>
    pointer === place || pointer.startsWith(`${place}/`);
  return violations.filter(
    (one) =>
      !bytes.some((place) => isIn(one.pointer, place)) &&
      (one.keyword !== 'oneOf' ||
        violations.some((other) => other !== one && isIn(other.pointer, one.pointer))),
  );
}

/**
 * Copies a value that is sent as texts. Bytes become different texts.
 * @param bytes gets the pointers of bytes
 * @throws TypeError for a value that cannot be written as texts
 */
function toPlain(
  value: unknown,
  pointer: string,
  bytes: string[],
  isKept: (value: unknown) => boolean,
): unknown {
  if (isPart(value)) return toPlain(value.value, pointer, bytes, isKept);
  if (isBinary(value)) {
    bytes.push(pointer);
    return pointer;
  }
  if (Array.isArray(value))
    return value
      .filter(isKept)
      .map((item, index) => toPlain(item, `${pointer}/${index}`, bytes, isKept));
  if (isStructured(value))
    return Object.fromEntries(
      plainEntries(value).flatMap(([name, member]) =>
        member === undefined || !isKept(member)
          ? []
          : [[name, toPlain(member, `${pointer}/${escapeMember(name)}`, bytes, isKept)]],
      ),
    );
  if (typeof value === 'string' || typeof value === 'boolean' || !isPresent(value)) return value;
  return Number(toText(value));
}

/** Replaces a scalar by the one that is written alike: a number or a truth value by its text, and the other way round. */
function readOtherwise(root: object, pointer: string): void {
  const names = `value${pointer}`.split('/').map(unescapeMember);
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>(
    (value, name) => ownMember((value ?? {}) as Record<string, unknown>, name),
    root,
  );
  if (!isStructured(holder)) return;
  const members = holder as Record<string, unknown>;
  const value = ownMember(members, last);
  if (typeof value === 'number' || typeof value === 'boolean') members[last] = String(value);
  else if (typeof value === 'string' && scalarText.test(value)) members[last] = JSON.parse(value);
}

const scalarText = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Writes the name of a member for a JSON Pointer. */
function escapeMember(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapeMember(text: string): string {
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

const redacted = '[redacted]';

/**
 * Returns a copy of an error from outside the client, with only its name, code, message, stack and cause, and without
 * secrets. Libraries attach requests to their errors, and quote header values in messages.
 */
export function redactError(error: unknown, secrets: Iterable<string>): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const pattern = patternOf(secrets);
  // An error can be its own cause.
  const seen = new Set<Error>();
  const copyOf = (original: Error): Error => {
    seen.add(original);
    const { code, cause } = original as { readonly code?: unknown; readonly cause?: unknown };
    const redact = (text: string): string => text.replaceAll(pattern, redacted);
    const copy = new Error(redact(original.message), {
      cause: cause instanceof Error && !seen.has(cause) ? copyOf(cause) : undefined,
    });
    copy.name = original.name;
    copy.stack = redact(original.stack ?? '');
    return typeof code === 'string' ? Object.assign(copy, { code: redact(code) }) : copy;
  };
  return copyOf(error);
}

/**
 * Returns a pattern that finds all written forms of the secrets, long ones first. It also finds what an earlier
 * redaction has inserted, so that a secret such as `a` does not change that.
 */
function patternOf(secrets: Iterable<string>): RegExp {
  const forms = Array.from(secrets, formsOf)
    .flat()
    .filter((form) => form !== '')
    .toSorted((a, b) => b.length - a.length);
  const texts = [redacted, ...new Set(forms)].map((text) =>
    text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`),
  );
  return new RegExp(texts.join('|'), 'g');
}

function formsOf(secret: string): readonly string[] {
  // A lone surrogate has no form in a URL.
  const wellFormed = secret.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  return [
    secret,
    encodeURIComponent(wellFormed),
    percent(wellFormed),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** An unambiguous text for a value: different values have different texts. */
interface EncodedIdentity {
  readonly text: string;
  /** Whether the text covers the value completely. Functions and objects of classes have content that is unknown. */
  readonly isKnown: boolean;
}

/**
 * Encodes a value that identifies an account. Every value has its type in the text, so that `1`, `"1"` and `["1"]`
 * differ, and members are sorted. Members that are `undefined` are left out, because they are not sent.
 * @param nameOf returns the text of a value whose content is unknown. Default: the same text for all
 */
export function encodeIdentity(
  value: unknown,
  nameOf: (value: object) => string = () => '',
): EncodedIdentity {
  let isKnown = true;
  const encode = (part: unknown): readonly unknown[] => {
    if (part === null || (typeof part !== 'object' && typeof part !== 'function'))
      return [typeof part, String(part)];
    if (Array.isArray(part)) return ['list', ...part.map(encode)];
    if (ArrayBuffer.isView(part))
      return ['bytes', ...new Uint8Array(part.buffer, part.byteOffset, part.byteLength)];
    if (isPlain(part)) {
      const members = Object.entries(part)
        .filter(([, member]) => member !== undefined)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      return ['members', ...members.map(([name, member]) => [name, encode(member)])];
    }
    isKnown = false;
    return ['unknown', nameOf(part)];
  };
  const text = JSON.stringify(encode(value));
  return { text, isKnown };
}

/** Returns the SHA-256 hash of a text in hexadecimal digits. */
export async function hashText(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toHex(new Uint8Array(hash));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // `Object.prototype` of this or another realm, such as that of a test runner, has no prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
