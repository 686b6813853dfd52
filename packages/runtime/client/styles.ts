import { rawNumber, toJson } from './json.ts';

/** Escapes a text for its location in a request. */
export type Encode = (text: string) => string;

/** Writes a parameter in one of OpenAPI's values of `style`. Returns an empty text where there is nothing to write. */
export type Style = (name: string, value: unknown, explode: boolean, encode: Encode) => string;

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
export function hasDotSegment(path: string): boolean {
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
  return `.${itemsOf(value, encode, explode ? '=' : ',').join(explode ? '.' : ',')}`;
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
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) {
    return String(value);
  }
  const raw = rawNumber(value);
  if (raw !== undefined) return raw;
  throw new TypeError('contains a value that its style cannot represent');
}

/** Returns whether a value is an object or an array, and not a scalar. */
export function isStructured(value: unknown): value is object {
  return typeof value === 'object' && value !== null && rawNumber(value) === undefined;
}

/** Returns whether a value is neither null nor undefined. RFC 6570, section 2.3 treats null as undefined. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * Returns the members of a plain object that are neither null nor undefined.
 * @throws TypeError for another object, such as a Date
 */
export function recordEntries(value: object): readonly (readonly [string, unknown])[] {
  if (Object.prototype.toString.call(value) !== '[object Object]' || 'toJSON' in value) {
    throw new TypeError('contains an object that is not a plain object, such as a Date');
  }
  return Object.entries(value).filter(([, member]) => isPresent(member));
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
  } else members = recordEntries(value).map(([key, member]) => [`[${key}]`, member]);
  return members
    .map(([key, member]) => deep(prefix + key, member, encode, brackets))
    .filter((text) => text !== '')
    .join('&');
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
  const items = itemsOf(value, encodeItem, percent(delimiter));
  return items.length === 0 ? '' : `${percent(name)}=${items.join(percent(delimiter))}`;
}

function named(name: string, value: unknown, explode: boolean, encode: Encode): readonly string[] {
  const items = itemsOf(value, encode, explode ? '=' : ',');
  if (items.length === 0) return [];
  if (!explode) return [`${name}=${items.join(',')}`];
  return isStructured(value) && !Array.isArray(value)
    ? items
    : items.map((item) => `${name}=${item}`);
}

/** Returns the escaped scalars of a value; those of an object follow their names. */
function itemsOf(value: unknown, encode: Encode, between: string): readonly string[] {
  if (Array.isArray(value)) return value.filter(isPresent).map((item) => encode(toText(item)));
  if (!isStructured(value)) return [encode(toText(value))];
  return recordEntries(value).map(([key, item]) => encode(key) + between + encode(toText(item)));
}
