import { rawNumber, toJson } from './json.ts';

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

/**
 * `allowReserved` in a path: `/` separates segments, and the other reserved characters stay but for `?`, `#`, brackets,
 * and `;`, which some servers cut off before they resolve dot segments. `%` is escaped: the value is a plain text.
 * Throws a TypeError for a segment that is empty or that a server could resolve to another path.
 */
export function reservedPath(text: string): string {
  if (/[\r\n]/.test(text) || text.split('/').some((segment) => /^(?:\.|%2e){0,2}$/i.test(segment)))
    throw new TypeError('has an empty segment, a dot segment or a line end');
  return percent(text).replaceAll(
    /%(?:21|24|26|27|28|29|2A|2B|2C|2F|3A|3D|40)/g,
    decodeURIComponent,
  );
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
  return delimited(name, value, explode, encode, ' ');
}

/** `color=blue%7Cblack`. */
export function pipeDelimited(
  name: string,
  value: unknown,
  explode: boolean,
  encode: Encode,
): string {
  return delimited(name, value, explode, encode, '|');
}

/** Writes the brackets of an array's item; every array that holds an object or an array has indices. */
type Brackets = (index: number) => string;

const indices: Brackets = (index) => `[${index}]`;

/** `color%5BR%5D=100&color%5BG%5D=200`, to any depth, and `color%5B0%5D=blue` for the items of an array. */
export function deepObject(name: string, value: unknown, _: boolean, encode: Encode): string {
  return deep(name, value, encode, indices);
}

/** `deepObject`, with `color%5B%5D=blue` for the items of an array of scalars. */
export function deepObjectBrackets(
  name: string,
  value: unknown,
  _: boolean,
  encode: Encode,
): string {
  return deep(name, value, encode, () => '[]');
}

/** `deepObject`, with `color=blue&color=black` for an array of scalars. */
export function deepObjectRepeat(name: string, value: unknown, _: boolean, encode: Encode): string {
  return deep(name, value, encode, () => '');
}

/** A parameter that is serialised as JSON by its `content`. */
export function jsonValue(_: string, value: unknown, _explode: boolean, encode: Encode): string {
  return encode(toJson(value));
}

/** The same, behind its name. */
export function jsonPair(name: string, value: unknown, _: boolean, encode: Encode): string {
  return `${percent(name)}=${encode(toJson(value))}`;
}

/** Writes a scalar; a bigint, or what `JSON.rawJSON` has made of a number, to its last digit. Throws a TypeError for every other value. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) {
    return String(value);
  }
  const raw = rawNumber(value);
  if (raw !== undefined) return raw;
  throw new TypeError('holds a value that its style cannot write');
}

/** Whether a value is an object or an array, and no scalar. */
export function isStructured(value: unknown): value is object {
  return typeof value === 'object' && value !== null && rawNumber(value) === undefined;
}

/** Whether a value is present in a style. RFC 6570, 2.3: what is null is not. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The present members of an object. Throws a TypeError for an object that is more than its members, such as a Date. */
export function recordEntries(value: object): readonly (readonly [string, unknown])[] {
  if (Object.prototype.toString.call(value) !== '[object Object]' || 'toJSON' in value) {
    throw new TypeError('holds an object that is no plain object, such as a Date');
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
    // Without indices, the members of one item would run into those of the next.
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
  // An escaped delimiter in an item would read like the delimiter itself.
  const encodeItem: Encode = (text) => {
    if (text.includes(delimiter)) throw new TypeError('holds the delimiter of its style');
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

/** The scalars of a value, those of an object behind their names. */
function itemsOf(value: unknown, encode: Encode, between: string): readonly string[] {
  if (Array.isArray(value)) return value.filter(isPresent).map((item) => encode(toText(item)));
  if (!isStructured(value)) return [encode(toText(value))];
  return recordEntries(value).map(([key, item]) => encode(key) + between + encode(toText(item)));
}
