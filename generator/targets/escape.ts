import { escapeUnits, invisible, isPlain, jsonLiteral } from '../json/json-literal.ts';
import type { Json } from '../json/json.ts';
import { Code, code, joinCode } from './code.ts';

/**
 * Returns a JSON value as a literal of JavaScript and TypeScript that evaluates to an equal value. Without a member
 * `__proto__` it is JSON as well. It has no line ends and no invisible or bidirectional characters.
 */
export function literal(value: Json): Code {
  return new Code(jsonLiteral(value));
}

/**
 * Returns an identifier as code. The caller has converted the name to an identifier already
 * (`contract/names.ts`).
 * @throws TypeError for a name that is not an identifier
 */
export function identifier(name: string): Code {
  if (!isIdentifier(name)) throw new TypeError(`${jsonLiteral(name)} is not an identifier.`);
  return new Code(name);
}

/** Returns a member name of an object literal or an object type, in quotes unless it is an identifier. */
export function memberName(name: string): Code {
  if (name === '__proto__') return new Code('["__proto__"]');
  return new Code(isIdentifier(name) ? name : jsonLiteral(name));
}

/**
 * Returns an object literal. Leaves out members without a value. A name that is text gets quotes where it needs them.
 */
export function object(members: Members): Code {
  return code`{ ${membersOf(members)} }`;
}

/** Returns an object literal as `object` does; `undefined` where it would be empty. */
export function objectUnlessEmpty(members: Members): Code | undefined {
  const memberCodes = membersOf(members);
  return memberCodes.length === 0 ? undefined : code`{ ${memberCodes} }`;
}

/** The members of an object literal: an object for names of the toolkit, pairs for names of a contract. */
type Members =
  | Readonly<Record<string, Code | undefined>>
  | Iterable<readonly [name: string | Code, value: Code | undefined]>;

function membersOf(members: Members): readonly Code[] {
  const entries = Symbol.iterator in members ? members : Object.entries(members);
  return Array.from(entries).flatMap(([name, value]) =>
    value === undefined ? [] : [code`${name instanceof Code ? name : memberName(name)}: ${value}`],
  );
}

/** Returns the list of texts as a union of literal types. */
export function literalUnion(texts: readonly string[]): Code {
  return joinCode(
    texts.map((text) => literal(text)),
    ' | ',
  );
}

/**
 * Escapes text of a contract for a Markdown paragraph or table cell. The result is one line, and its only markup is
 * code spans.
 */
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

/** Writes text of a contract as a code span of Markdown, which is safe in a table cell as well. */
export function markdownCode(text: string): Code {
  const line = visible(text).replaceAll(/\s+/gu, ' ').replaceAll('|', '\\|');
  const runs = line.match(/`+/gu) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1);
  const edge = line.startsWith('`') || line.endsWith('`') || line.trim() === '' ? ' ' : '';
  return new Code(`${fence}${edge}${line}${edge}${fence}`);
}

/** Writes text of a contract as one line of a plain text file. */
export function plain(text: string): Code {
  return new Code(visible(text).replaceAll(/\s+/gu, ' ').trim());
}

/** Replaces control and format characters, such as bidirectional controls, by `\uXXXX`. Keeps line ends and tabs. */
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
