import { isBinary, membersOf, toFormText, writeProperty } from './bodies.ts';
import { isPresent } from './styles.ts';

/** `multipart/form-data`: an array repeats its name, bytes become a file, an object is written as JSON. */
export function multipart(value: unknown, mediaType: string): Response {
  return write(value, mediaType, {});
}

/** A multipart body of which some properties have a media type of their own. */
export function typedMultipart(
  types: Readonly<Record<string, string>>,
): (value: unknown, mediaType: string) => Response {
  return (value, mediaType) => write(value, mediaType, types);
}

/** Written here and not by `FormData`, which makes a file of every part that has a media type. */
function write(
  value: unknown,
  mediaType: string,
  types: Readonly<Record<string, string>>,
): Response {
  const boundary = crypto.randomUUID();
  const pieces: BlobPart[] = [];
  for (const [name, member] of membersOf(value)) {
    const own = Object.hasOwn(types, name) ? types[name] : undefined;
    for (const item of [member].flat().filter(isPresent)) {
      if (item instanceof ReadableStream) throw new TypeError('holds a stream; give a Blob');
      const file = isBinary(item);
      const type = own ?? defaultType(item);
      const fileName = file ? `; filename="${escapeName(nameOf(item) ?? 'blob')}"` : '';
      pieces.push(
        `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"${fileName}\r\n`,
        type === undefined ? '\r\n' : `Content-Type: ${type}\r\n\r\n`,
        file ? (item as BlobPart) : writeProperty(name, () => toFormText(item)),
        '\r\n',
      );
    }
  }
  const type = `${mediaType}; boundary=${boundary}`;
  return new Response(new Blob([...pieces, `--${boundary}--\r\n`]), {
    headers: { 'content-type': type },
  });
}

/** OpenAPI 3.1.1, 4.8.15.1: the default of `contentType`; a text needs none. */
function defaultType(item: unknown): string | undefined {
  if (item instanceof Blob) return item.type === '' ? 'application/octet-stream' : item.type;
  if (isBinary(item)) return 'application/octet-stream';
  return typeof item === 'object' ? 'application/json' : undefined;
}

function nameOf(item: unknown): string | undefined {
  return typeof File === 'function' && item instanceof File ? item.name : undefined;
}

/** As browsers write names: HTML, "multipart/form-data encoding algorithm". */
function escapeName(name: string): string {
  return name.replaceAll(/["\r\n]/g, (character) => encodeURIComponent(character));
}
