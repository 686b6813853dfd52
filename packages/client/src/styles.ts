/** Makes a text fit for its place in a request. */
export type Encode = (text: string) => string;

/** Writes a parameter: OpenAPI's `style`, a function each. Empty where there is nothing to write. */
export type Style = (name: string, value: unknown, explode: boolean, encode: Encode) => string;

/** Everything but unreserved characters of RFC 3986 is escaped, so that no URL parser has anything left to change. */
export function percent(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * `allowReserved`: reserved characters and what is escaped already stay, but for those that would end the value or
 * mean something else in a query.
 */
export function reserved(text: string): string {
  return percent(text)
    .replaceAll(/%(?:3A|2F|3F|40|21|24|28|29|2A|2C|3B|3D)/g, decodeURIComponent)
    .replaceAll(/%25(?=[0-9A-Fa-f]{2})/g, '%');
}

/** `blue,black`, `R,100,G,200`; exploded `R=100,G=200`. */
export function simple(_: string, value: unknown, explode: boolean, encode: Encode): string {
  return itemsOf(value, encode, explode ? '=' : ',').join(',');
}

/** `.blue,black`; exploded `.blue.black`, `.R=100.G=200`. */
export function label(_: string, value: unknown, explode: boolean, encode: Encode): string {
  return `.${itemsOf(value, encode, explode ? '=' : ',').join(explode ? '.' : ',')}`;
}

/** `;color=blue,black`; exploded `;color=blue;color=black`, `;R=100;G=200`. */
export function matrix(name: string, value: unknown, explode: boolean, encode: Encode): string {
  return named(percent(name), value, explode, encode)
    .map((pair) => `;${pair.replace(/=$/, '')}`)
    .join('');
}

/** `color=blue,black`; exploded `color=blue&color=black`, `R=100&G=200`. */
export function form(name: string, value: unknown, explode: boolean, encode: Encode): string {
  return named(percent(name), value, explode, encode).join('&');
}

/** `form` in a `Cookie` header. */
export function cookie(name: string, value: unknown, explode: boolean, encode: Encode): string {
  return named(percent(name), value, explode, encode).join('; ');
}

/** `color=blue%20black`. */
export function spaceDelimited(
  name: string,
  value: unknown,
  explode: boolean,
  encode: Encode,
): string {
  return delimited(name, value, explode, encode, '%20');
}

/** `color=blue%7Cblack`. */
export function pipeDelimited(
  name: string,
  value: unknown,
  explode: boolean,
  encode: Encode,
): string {
  return delimited(name, value, explode, encode, '%7C');
}

/** `color%5BR%5D=100&color%5BG%5D=200`, to any depth; an array repeats its name. */
export function deepObject(name: string, value: unknown, _: boolean, encode: Encode): string {
  const pairs = (prefix: string, inner: unknown): readonly string[] => {
    if (inner === undefined || inner === null) return [];
    if (Array.isArray(inner)) return inner.flatMap((item) => pairs(prefix, item));
    if (typeof inner === 'object') {
      return Object.entries(inner).flatMap(([key, item]) => pairs(`${prefix}[${key}]`, item));
    }
    return [`${percent(prefix)}=${encode(toText(inner))}`];
  };
  return pairs(name, value).join('&');
}

/** A parameter that is serialised as JSON by its `content`. */
export function jsonValue(_: string, value: unknown, _explode: boolean, encode: Encode): string {
  return encode(JSON.stringify(value));
}

/** The same, behind its name. */
export function jsonPair(name: string, value: unknown, _: boolean, encode: Encode): string {
  return `${percent(name)}=${encode(JSON.stringify(value))}`;
}

function delimited(
  name: string,
  value: unknown,
  explode: boolean,
  encode: Encode,
  delimiter: string,
): string {
  if (explode) return form(name, value, explode, encode);
  const items = itemsOf(value, encode, delimiter);
  return items.length === 0 ? '' : `${percent(name)}=${items.join(delimiter)}`;
}

function named(name: string, value: unknown, explode: boolean, encode: Encode): readonly string[] {
  const items = itemsOf(value, encode, explode ? '=' : ',');
  if (items.length === 0) return [];
  if (!explode) return [`${name}=${items.join(',')}`];
  return typeof value === 'object' && !Array.isArray(value)
    ? items
    : items.map((item) => `${name}=${item}`);
}

/** The scalars of a value, those of an object behind their names. RFC 6570, 2.3: what is null is not there. */
function itemsOf(value: unknown, encode: Encode, between: string): readonly string[] {
  const isThere = (item: unknown): boolean => item !== undefined && item !== null;
  if (Array.isArray(value)) return value.filter(isThere).map((item) => encode(toText(item)));
  if (typeof value !== 'object' || value === null) return [encode(toText(value))];
  return Object.entries(value)
    .filter(([, item]) => isThere(item))
    .map(([key, item]) => encode(key) + between + encode(toText(item)));
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) {
    return String(value);
  }
  throw new TypeError('holds something that its style cannot write');
}
