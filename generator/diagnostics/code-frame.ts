import { displayWidth } from './display-width.ts';
import type { Diagnostic } from './diagnostic.ts';
import { createPaint, type Paint } from './paint.ts';
import type { Severity } from './severity.ts';
import type { DiagnosticGroup } from './summary.ts';

/** The path and text of a file, for code frames. `SourceFile` of `load` has this type. */
export interface FrameFile {
  readonly path: string;
  readonly text: string;
}

const severityStyles: Readonly<Record<Severity, Parameters<Paint>[0]>> = {
  error: ['bold', 'red'],
  warning: ['bold', 'yellow'],
  info: ['bold', 'cyan'],
};

/** Lines longer than this many code points are cut to the part around the column. */
const widest = 120;

/** The maximum number of places shown for a group, and the maximum length of their messages in code points. */
const maxPlaces = 3;
const maxMessage = 200;

/**
 * Renders diagnostics for people: code, place, message, the line with a caret, and help. Replaces control characters in
 * text from the contract, so that it cannot control the terminal.
 */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  files: readonly FrameFile[],
  options: { readonly color: boolean },
): string {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const lines = new Map<string, readonly string[]>();
  const paint = createPaint(options.color);
  return diagnostics
    .map((diagnostic) => {
      const { file } = diagnostic;
      const fileLines = lines.get(file) ?? texts.get(file)?.split('\n') ?? [];
      lines.set(file, fileLines);
      return renderOne(diagnostic, fileLines, paint);
    })
    .join('\n');
}

/** Renders groups for people, like `renderDiagnostics`: the number of diagnostics, and the first places. */
export function renderGroups(
  groups: readonly DiagnosticGroup[],
  options: { readonly color: boolean },
): string {
  const paint = createPaint(options.color);
  return groups.map((group) => renderGroup(group, paint)).join('\n');
}

/**
 * Renders a line of a text and the one above it, with a caret below the column.
 * @param line counted from 1
 * @param column counted from 1
 */
export function renderFrame(text: string, line: number, column: number): string {
  return frame(text.split(/\r?\n/u), line, column, createPaint(false)).join('\n');
}

function renderGroup({ title, members, ...group }: DiagnosticGroup, paint: Paint): string {
  // Errors of the same code are shown one by one ahead of the group.
  const times = group.severity === 'error' ? `${members.length} more` : `${members.length} times`;
  const places = members.slice(0, maxPlaces).map(({ file, line, column, message }) => {
    const place = paint('underline', `${visible(file)}:${line}:${column}`);
    return `  ${place}  ${cut(message.split('\n')[0] ?? '', 0, maxMessage).text}`;
  });
  const rest = members.length - places.length;
  if (rest > 0) places.push(`  … and ${rest} more (--verbose shows all)`);
  return renderBlock(group, times, title, places, paint);
}

function renderOne(diagnostic: Diagnostic, lines: readonly string[], paint: Paint): string {
  const { file, line, column, message } = diagnostic;
  const place = paint('underline', `${visible(file)}:${line}:${column}`);
  return renderBlock(diagnostic, place, message, frame(lines, line, column, paint), paint);
}

function renderBlock(
  { severity, code, help }: Pick<Diagnostic, 'severity' | 'code' | 'help'>,
  heading: string,
  text: string,
  details: readonly string[],
  paint: Paint,
): string {
  return [
    `${paint(severityStyles[severity], `${severity}[${code}]`)} ${heading}`,
    indent(visibleLines(text)),
    ...details,
    `${indent(`${paint('bold', 'help:')} ${visibleLines(help)}`)}\n`,
  ].join('\n');
}

function frame(lines: readonly string[], line: number, column: number, paint: Paint): string[] {
  const marked = lines[line - 1];
  if (marked === undefined) return [];
  const gutter = String(line).length;
  const row = (label: string, content: string): string =>
    `  ${paint('dim', `${label.padStart(gutter)} |`)} ${content}`.trimEnd();

  const before = lines[line - 2];
  const context = before === undefined || before.trim() === '' ? [] : [before];
  const { text, prefix } = cut(marked, column - 1);
  return [
    ...context.map((content) => row(String(line - 1), paint('dim', cut(content, 0).text))),
    row(String(line), text),
    row('', `${' '.repeat(displayWidth(prefix))}${paint('red', '^')}`),
  ];
}

/**
 * Returns the visible part of a line, and the text of that part before `offset`.
 * @param offset in UTF-16 code units
 * @param width in code points
 */
function cut(
  content: string,
  offset: number,
  width = widest,
): { readonly text: string; readonly prefix: string } {
  const before = Array.from(visible(content.slice(0, offset)));
  const after = Array.from(visible(content.slice(offset)));
  const dropped = before.length + after.length > width ? Math.max(before.length - width / 2, 0) : 0;
  const kept = before.slice(dropped);
  const room = Math.max(width - kept.length, 0);
  const prefix = `${dropped > 0 ? '…' : ''}${kept.join('')}`;
  const rest = after.slice(0, room).join('');
  return { text: `${prefix}${rest}${after.length > room ? '…' : ''}`, prefix };
}

/** Replaces each character that affects a terminal with a visible character. */
function visible(text: string): string {
  return text
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '�';
    });
}

function visibleLines(text: string): string {
  return text.split(/\r?\n/u).map(visible).join('\n');
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
