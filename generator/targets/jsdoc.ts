import type { Unstated } from '../contract/contract.ts';
import { ledgerLines } from '../contract/ledger-entries.ts';
import type { Json } from '../json/json.ts';
import { Code } from './code.ts';
import { visible } from './escape.ts';
import { oneLine } from './package/prose.ts';

/** An example, and what it shows. */
export interface DocumentedExample {
  readonly value: Json;
  readonly summary?: string | undefined;
}

/** The documentation of a part of a contract, for the comment above its code. */
export interface Documentation {
  /** The first sentence; `description` follows as a separate paragraph. */
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  /** Remarks of the contract's authors. Each becomes a paragraph after the description. */
  readonly notes?: readonly string[] | undefined;
  /** Sentences of the toolkit about the part. Each becomes a paragraph after the notes. */
  readonly remarks?: readonly string[] | undefined;
  /** The ledger entries that the part depends on: a line for the open ones, and a line for the settled ones. */
  readonly questions?: Iterable<Unstated> | undefined;
  /** Sections of the source document. */
  readonly source?: readonly string[] | undefined;
  /** The document that has the sections of `source`. */
  readonly sourceDocument?: string | undefined;
  /** Where the contract states the part, as a file and a JSON Pointer in it. */
  readonly place?: string | undefined;
  readonly deprecated?: boolean | undefined;
  readonly examples?: readonly DocumentedExample[] | undefined;
  /** TypeScript code that shows the use. Texts of a contract are only in its string literals. */
  readonly exampleCode?: string | undefined;
}

/**
 * Returns a JSDoc comment, or empty code where there is no documentation. No text of a contract can end the comment.
 */
export function jsdoc(documentation: Documentation): Code {
  const lines = jsdocLines(documentation);
  if (lines.length === 0) return new Code('');
  const [only = ''] = lines;
  if (lines.length === 1) return new Code(`/** ${only} */`);
  return new Code(['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n'));
}

/** Returns the escaped lines between the delimiters of a JSDoc comment. */
export function jsdocLines(documentation: Documentation): readonly string[] {
  const { summary, description, notes = [], remarks = [] } = documentation;
  const remarked = notes.map((note) => `Note: ${note}`);
  const paragraphs = [summary, description, ...remarked, ...remarks].filter(
    (text, index, all) => text !== undefined && text.trim() !== '' && all.indexOf(text) === index,
  );
  const text = paragraphs.flatMap((paragraph, index) => [
    ...(index > 0 ? [''] : []),
    ...toLines(paragraph ?? ''),
  ]);
  const entries = ledgerLines(documentation.questions ?? []).map((line) => toLines(oneLine(line)));
  const tags = [
    ...(documentation.deprecated === true ? ['@deprecated'] : []),
    ...toSee(documentation.source ?? [], documentation.sourceDocument),
    ...(documentation.place === undefined ? [] : toSee([documentation.place], undefined)),
    ...(documentation.examples ?? []).flatMap(toExample),
    ...(documentation.exampleCode === undefined ? [] : toBlock('ts', documentation.exampleCode)),
  ];
  const blocks = [text, ...entries, tags].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function toLines(text: string): readonly string[] {
  const rawLines = /[\n\r\u2028\u2029]/.test(text)
    ? text.split(/\r\n|[\n\r\u2028\u2029]/u)
    : [text];
  const lines = rawLines.map((line) => escapeText(visible(line)).trimEnd());
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/**
 * Escapes the end of a comment, and `@` where it could begin a tag. TypeScript reads `@word` after any white space as a
 * tag.
 */
export function escapeText(line: string): string {
  if (!line.includes('@') && !line.includes('*/')) return line;
  return line
    .replaceAll('*/', String.raw`*\/`)
    .replaceAll(/(?<![\p{L}\p{N}_.\\])@/gu, String.raw`\@`);
}

function toSee(sections: readonly string[], sourceDocument: string | undefined): readonly string[] {
  if (sections.length === 0) return [];
  const places = [...(sourceDocument === undefined ? [] : [sourceDocument]), ...sections];
  return [`@see ${escapeText(visible(places.join(', ')).replaceAll(/\s+/gu, ' ').trim())}`];
}

/** The maximum length of an example that a comment has in one line. */
const maxLineLength = 80;

/** The maximum length of an example in a comment. An editor shows no more at once, and the contract has longer ones. */
const maxExampleLength = 2000;

/**
 * Writes an example as its summary and a block of JSON; a short one without a summary in one line, which editors show as
 * code too. It uses only escapes of JSON, so that readers can copy the example. A long one is left out.
 */
function toExample({ value, summary = '' }: DocumentedExample): readonly string[] {
  const text = JSON.stringify(value, null, 2);
  if (text.length > maxExampleLength) return [];
  const about = toLines(oneLine(summary));
  const line = text.replaceAll(/\n\s*/gu, ' ');
  if (about.length === 0 && line.length <= maxLineLength) return [`@example ${escapeBlock(line)}`];
  return toBlock('json', text, about);
}

function toBlock(
  language: 'json' | 'ts',
  text: string,
  summary: readonly string[] = [],
): readonly string[] {
  return ['@example', ...summary, `\`\`\`${language}`, ...escapeBlock(text).split('\n'), '```'];
}

/** Escapes what ends a comment or a block of code, or begins a tag, as JSON and strings of TypeScript escape it. */
function escapeBlock(text: string): string {
  return visible(text)
    .replaceAll('*/', String.raw`*\/`)
    .replaceAll(/(?<=\s)@/gu, String.raw`\u0040`)
    .replaceAll('```', String.raw`\u0060\u0060\u0060`);
}
