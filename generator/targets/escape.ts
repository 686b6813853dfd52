import { escapeUnits, invisible, isPlain, jsonLiteral } from '../json/json-literal.ts';
import type { Json } from '../json/json.ts';
import { Code } from './code.ts';

/**
 * A JSON value as a literal of JavaScript and TypeScript that evaluates to an equal value. Without a member
 * `__proto__` in it, it is JSON as well. No line ends, no characters that are invisible or turn the reading order.
 */
export function literal(value: Json): Code {
  return new Code(jsonLiteral(value));
}

/** A name that was made an identifier before (`contract/names.ts`). Throws a TypeError where it is none. */
export function identifier(name: string): Code {
  if (!isIdentifier(name)) throw new TypeError(`${jsonLiteral(name)} is no identifier.`);
  return new Code(name);
}

/** A member name of an object literal or an object type: plain where it is an identifier, quoted elsewhere. */
export function memberName(name: string): Code {
  if (name === '__proto__') return new Code('["__proto__"]');
  return new Code(isIdentifier(name) ? name : jsonLiteral(name));
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

function withoutMarkup(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>|~&#]/gu, '\\$&');
}

function escapeListMarker(marker: string): string {
  return /\d/u.test(marker) ? `${marker}\\` : `\\${marker}`;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z$_][\w$]*$/.test(name) || /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
}
