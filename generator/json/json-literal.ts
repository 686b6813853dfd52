import { isJsonObject, type Json } from './json.ts';

/**
 * Returns a JSON value as a literal of JavaScript and TypeScript that evaluates to an equal value. The literal is JSON
 * as well, unless a member is named `__proto__`. It has no line ends and no invisible or bidirectional characters.
 * @throws TypeError if the value is not a JSON value
 */
export function jsonLiteral(value: Json | undefined): string {
  if (typeof value === 'string') return toStringLiteral(value);
  if (typeof value === 'number') return toNumberLiteral(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(jsonLiteral).join(',')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [`${toKey(name)}:${jsonLiteral(member)}`],
    );
    return `{${members.join(',')}}`;
  }
  if (value === null || typeof value === 'boolean') return String(value);
  throw new TypeError(`A ${typeof value} is not a JSON value.`);
}

/**
 * Returns the key of a member. In an object literal `"__proto__": …` sets the prototype; a computed key is a normal
 * member.
 */
function toKey(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : toStringLiteral(name);
}

function toNumberLiteral(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is not a JSON value.`);
  return JSON.stringify(Object.is(value, -0) ? 0 : value);
}

function toStringLiteral(text: string): string {
  const json = JSON.stringify(text);
  if (isPlain(json) && !json.includes('<')) return json;
  return json.replaceAll(invisible, escapeUnits).replaceAll(/<(?=[/!])/gu, String.raw`\u003c`);
}

/** Writes each UTF-16 code unit of a character as `\uXXXX`. */
export function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Control and format characters, and the line ends that JSON does not escape. */
export const invisible: RegExp = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Returns whether a text is printable ASCII, as most texts are. This takes a tenth of the time of a search for
 * `invisible`.
 */
export function isPlain(text: string): boolean {
  return /^[\t\n\r\x20-\x7e]*$/.test(text);
}
