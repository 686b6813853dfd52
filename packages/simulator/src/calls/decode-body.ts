import { essenceOf, isJsonType } from '@countersign/runtime/base';
import type { Json } from 'countersign/kit';
import type { ServedContent } from '../service.ts';
import { compilePairs } from './decode-parameters.ts';
import type { NamedStyle } from './decode-style.ts';
import { decodeFormText, splitPairs, toScalar } from './decode-text.ts';
import { formType } from '../media-type.ts';

/** The value of a body, or why it has none. */
type DecodedBody =
  | { readonly value: Json }
  | { readonly problem: 'not-utf-8' | 'malformed-json' | 'malformed-form' | 'json-in-form' };

type DecodeBody = (
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
) => DecodedBody | Promise<DecodedBody>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Compiles the decoding of bodies of a media type of the contract. */
export function compileBody(media: ServedContent): DecodeBody {
  const fields = fieldsOf(media);
  const pairs = compilePairs(fields, decodeFormText);
  const names = new Set(fields.map(({ name }) => name));
  return (bytes, contentType) => {
    const essence = essenceOf(contentType);
    if (essence.startsWith('multipart/')) return decodeMultipart(bytes, contentType, media);
    const isText =
      media.isBytes !== true &&
      (essence.startsWith('text/') || isJsonType(essence) || essence === formType);
    // Bytes that the contract does not describe further become text, one character a byte.
    if (!isText) return { value: Buffer.from(bytes).toString('latin1') };
    const text = decodeText(bytes);
    if (text === undefined) return { problem: 'not-utf-8' };
    if (isJsonType(essence)) return decodeJson(text);
    if (essence !== formType) return { value: toScalar(text, media.shape) };
    if (/^\s*[[{]/u.test(text) && 'value' in decodeJson(text)) return { problem: 'json-in-form' };
    const all = splitPairs(text);
    return { value: { ...undeclared(all, names), ...pairs(all) } };
  };
}

function decodeText(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeJson(text: string): DecodedBody {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'malformed-json' };
  }
}

function fieldsOf({ shape, form }: ServedContent): readonly NamedStyle[] {
  return Object.entries(shape?.properties ?? {}).map(([name, property]) => ({
    // The defaults of the Encoding Object.
    ...(form?.fields.find((field) => field.name === name) ?? { style: 'form', explode: true }),
    name,
    shape: property,
  }));
}

/** Returns the fields that the contract does not declare, which its schema may accept or refuse. */
function undeclared(
  pairs: readonly (readonly [name: string, text: string])[],
  names: ReadonlySet<string>,
): Readonly<Record<string, Json>> {
  const undeclaredPairs = pairs.filter(([name]) => !names.has(name.replace(/\[.*$/su, '')));
  return Object.fromEntries(undeclaredPairs.map(([name, text]) => [name, decodeFormText(text)]));
}

/** Decodes fields as text or JSON, and files as text, one character a byte. */
async function decodeMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  { shape }: ServedContent,
): Promise<DecodedBody> {
  try {
    const form = await withLongBoundary(bytes, contentType).formData();
    const value: Record<string, Json> = {};
    for (const name of new Set(form.keys())) {
      const properties = shape?.properties ?? {};
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const isArray = property?.types.includes('array') === true;
      const values: Json[] = [];
      for (const part of form.getAll(name))
        values.push(
          typeof part === 'string'
            ? fromField(part, isArray ? property?.items : property)
            : Buffer.from(await part.arrayBuffer()).toString('latin1'),
        );
      const [first = null] = values;
      value[name] = isArray || values.length > 1 ? values : first;
    }
    return { value };
  } catch {
    return { problem: 'malformed-form' };
  }
}

/** The parser of Node reads only boundaries of at least 27 characters, but RFC 2046 allows shorter ones. */
const longBoundary = 'a-boundary-that-is-long-enough-for-the-parser';

function withLongBoundary(bytes: Uint8Array<ArrayBuffer>, contentType: string): Response {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/iu.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined || boundary.length >= 27)
    return new Response(bytes, { headers: { 'content-type': contentType } });
  const body = `\r\n${Buffer.from(bytes).toString('latin1')}`
    .replaceAll(`\r\n--${boundary}`, () => `\r\n--${longBoundary}`)
    .slice(2);
  return new Response(Buffer.from(body, 'latin1'), {
    headers: { 'content-type': `multipart/form-data; boundary=${longBoundary}` },
  });
}

function fromField(text: string, shape: ServedContent['shape']): Json {
  if (shape?.types.includes('object') !== true) return toScalar(text, shape);
  const decoded = decodeJson(text);
  return 'value' in decoded ? decoded.value : text;
}
