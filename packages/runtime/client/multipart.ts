import { isBinary, membersOf, toFormText, writeProperty } from './bodies.ts';
import { isPresent, wellFormed } from './styles.ts';

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
  const pieces: BlobPart[] = [];
  for (const [name, member] of membersOf(value)) {
    const description = Object.hasOwn(parts, name) ? parts[name] : undefined;
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
): readonly BlobPart[] {
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
    isFile ? (value as BlobPart) : wellFormed(toFormText(value)),
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
  const concrete = allowed.find((range) => !range.includes('*'));
  if (concrete === undefined)
    throw new TypeError(
      `needs a media type of ${allowed.join(' or ')}; pass a Blob or a part with one`,
    );
  return concrete;
}

function essenceOf(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
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
