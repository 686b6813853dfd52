import { isJsonObject, type Json } from '../json.ts';
import { Code } from './code.ts';

/**
 * A JSON value as a literal of JavaScript and TypeScript that evaluates to an equal value. Without a member
 * `__proto__` in it, it is JSON as well. No line ends, no characters that are invisible or turn the reading order.
 */
export function literal(value: Json): Code {
  return new Code(toLiteral(value));
}

/** A name that was made an identifier before (`contract/names.ts`). Throws a TypeError where it is none. */
export function identifier(name: string): Code {
  if (!isIdentifier(name)) throw new TypeError(`${toLiteral(name)} is no identifier.`);
  return new Code(name);
}

/** A member name of an object literal or an object type: plain where it is an identifier, quoted elsewhere. */
export function memberName(name: string): Code {
  if (name === '__proto__') return new Code('["__proto__"]');
  return new Code(isIdentifier(name) ? name : toLiteral(name));
}

/** Text of a contract as running text of a Markdown paragraph or table cell: one line, no markup but code spans. */
export function markdown(text: string): Code {
  const line = visible(text)
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .split(/(?<!`)(`[^`]+`)(?!`)/u)
    .map((part, index) =>
      index % 2 === 1 ? markdownCode(part.slice(1, -1)).text : withoutMarkup(part),
    )
    .join('');
  return new Code(line.replace(/^(?:[-+=](?=\s|$)|\d+(?=[.)]\s))/u, escapeListMarker));
}

/** Text of a contract as a code span of Markdown, safe in a table cell as well. */
export function markdownCode(text: string): Code {
  const line = visible(text).replaceAll(/\s+/gu, ' ').replaceAll('|', '\\|');
  const runs = line.match(/`+/gu) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1);
  const edge = line.startsWith('`') || line.endsWith('`') || line.trim() === '' ? ' ' : '';
  return new Code(`${fence}${edge}${line}${edge}${fence}`);
}

/** Text of a contract as a line of a file that is nothing but text. */
export function plain(text: string): Code {
  return new Code(visible(text).replaceAll(/\s+/gu, ' ').trim());
}

/** Makes control characters and those that turn the reading order visible as `\uXXXX`; line ends and tabs stay. */
export function visible(text: string): string {
  if (isPlain(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(invisible, (character) =>
      character === '\n' || character === '\r' || character === '\t'
        ? character
        : escapeUnits(character),
    );
}

/** Most texts are; to ask is a tenth of looking for what the standard calls invisible. */
function isPlain(text: string): boolean {
  return /^[\t\n\r\x20-\x7e]*$/.test(text);
}

function withoutMarkup(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>|~&#]/gu, '\\$&');
}

function escapeListMarker(marker: string): string {
  return /\d/u.test(marker) ? `${marker}\\` : `\\${marker}`;
}

/** Control and format characters, and the line ends that JSON does not escape. */
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

function isIdentifier(name: string): boolean {
  return /^[A-Za-z$_][\w$]*$/.test(name) || /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
}

function toLiteral(value: Json | undefined): string {
  if (typeof value === 'string') return toStringLiteral(value);
  if (typeof value === 'number') return toNumberLiteral(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(toLiteral).join(',')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [`${toKey(name)}:${toLiteral(member)}`],
    );
    return `{${members.join(',')}}`;
  }
  if (value === null || typeof value === 'boolean') return String(value);
  throw new TypeError(`A ${typeof value} is no JSON value.`);
}

/** In an object literal `"__proto__": …` sets the prototype; a computed key is a member like any other. */
function toKey(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : toStringLiteral(name);
}

function toNumberLiteral(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is no JSON value.`);
  return JSON.stringify(Object.is(value, -0) ? 0 : value);
}

function toStringLiteral(text: string): string {
  const json = JSON.stringify(text);
  if (isPlain(json) && !json.includes('<')) return json;
  return json.replaceAll(invisible, escapeUnits).replaceAll(/<(?=[/!])/gu, String.raw`\u003c`);
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
