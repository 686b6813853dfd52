import { malformed, readDer, readInside, readObjectId, readText, type DerValue } from './der.ts';

/** The attributes of a distinguished name, in the order of the certificate: object identifier and value. */
export type DistinguishedName = readonly (readonly [objectId: string, value: string | undefined])[];

/** The short names of attributes, and their object identifiers. */
const objectIds = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  serialNumber: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  STREET: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  title: '2.5.4.12',
  businessCategory: '2.5.4.15',
  postalCode: '2.5.4.17',
  GN: '2.5.4.42',
  organizationIdentifier: '2.5.4.97',
  UID: '0.9.2342.19200300.100.1.1',
  DC: '0.9.2342.19200300.100.1.25',
  emailAddress: '1.2.840.113549.1.9.1',
} as const;

/** The short names of attributes. */
export const attributeNames: readonly string[] = Object.keys(objectIds);

/** The name of an attribute: a short one, or an object identifier such as `2.5.4.3`. */
export type AttributeName = keyof typeof objectIds | `${number}.${string}`;

/**
 * Attributes of a distinguished name. Each must be in the certificate with exactly this value, or with exactly these
 * values in their order, compared with case. Attributes that are not named do not matter.
 */
export type Attributes = { readonly [name in AttributeName]?: string | readonly string[] };

/** Returns the object identifier of an attribute; `undefined` for an unknown name. */
export function objectIdOf(name: string): string | undefined {
  if (/^[0-2](?:\.(?:0|[1-9]\d*))+$/u.test(name)) return name;
  return Object.hasOwn(objectIds, name) ? objectIds[name as keyof typeof objectIds] : undefined;
}

/** Returns whether a distinguished name has the attributes. */
export function hasAttributes(name: DistinguishedName, attributes: Attributes): boolean {
  return Object.entries(attributes).every(([attribute, expected]) => {
    const objectId = objectIdOf(attribute);
    const values = name.filter(([id]) => id === objectId).map(([, value]) => value);
    const wanted: readonly unknown[] = [expected].flat();
    return values.length === wanted.length && values.every((value, at) => value === wanted[at]);
  });
}

/**
 * Reads a `Name` of X.509.
 * @throws SyntaxError for a value that is none
 * @see RFC 5280, section 4.1.2.4
 */
export function readName(value: DerValue | undefined): DistinguishedName {
  return readInside(value, 0x30).flatMap((part) =>
    readInside(part, 0x31).map((attribute): DistinguishedName[number] => {
      const [type, text, ...trailingValues] = readInside(attribute, 0x30);
      if (text === undefined || trailingValues.length > 0) throw malformed();
      return [readObjectId(type), readText(text)];
    }),
  );
}

/** One attribute with what separates it from the next: a value as hexadecimal digits, or a text with escapes. */
const attributePattern =
  / *([A-Za-z][A-Za-z\d-]*|\d+(?:\.\d+)+)=(?:#((?:[\dA-Fa-f]{2})+)|((?:\\(?:[\dA-Fa-f]{2}|[ "#+,;<=>\\])|[^"+,;<>\\])*))([+,]|$)/uy;

/**
 * Reads the text of a distinguished name, whose parts are in the reverse order.
 * @throws SyntaxError for a text that is none
 * @see RFC 2253, and RFC 4514, which replaces it
 */
export function parseName(text: string): DistinguishedName {
  if (text === '') return [];
  const parts: DistinguishedName[number][][] = [[]];
  attributePattern.lastIndex = 0;
  for (let isLast = false; !isLast;) {
    const [, type = '', hex, value = '', separator] = attributePattern.exec(text) ?? [];
    if (separator === undefined) throw malformed();
    parts.at(-1)?.push([idOfType(type), hex === undefined ? unescape(value) : fromHex(hex)]);
    if (separator === ',') parts.push([]);
    isLast = separator === '';
  }
  return parts.toReversed().flat();
}

/** Returns the object identifier of a type in any case, or the type itself, which no rule has. */
function idOfType(type: string): string {
  const lower = type.toLowerCase();
  const name = attributeNames.find((candidate) => candidate.toLowerCase() === lower);
  return objectIdOf(name ?? type) ?? type;
}

/** Returns the value without escapes; `undefined` for bytes that are not UTF-8. */
function unescape(value: string): string | undefined {
  const tokens = [...value.matchAll(/\\([\dA-Fa-f]{2})|\\(.)|([^\\])/gsu)];
  // Spaces at both ends, and `#` at the beginning, would have to be escaped.
  if (/^[ #]/u.test(value) || tokens.at(-1)?.[3] === ' ') throw malformed();
  const bytes = tokens.flatMap(([, hex, escaped, plain]) =>
    hex === undefined
      ? [...new TextEncoder().encode(escaped ?? plain)]
      : [Number.parseInt(hex, 16)],
  );
  return readText({ tag: 0x0c, content: Uint8Array.from(bytes) });
}

function fromHex(hex: string): string | undefined {
  const bytes = Uint8Array.from(hex.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
  const [value, ...trailingValues] = readDer(bytes);
  if (value === undefined || trailingValues.length > 0) throw malformed();
  return readText(value);
}
