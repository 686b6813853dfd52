import { inspect } from 'node:util';
import { paintStyles } from '../diagnostics/paint.ts';
import { printableLines } from '../diagnostics/printable.ts';
import { type Terminal, wantsColor } from './terminal.ts';

/** The styles of the command line's own words: what begins and what ends each. */
const styleCodes = paintStyles.flatMap((style) => inspect.colors[style] ?? []);
const styles = new RegExp(String.raw`\u001B\[(?:${styleCodes.join('|')})m`, 'gu');

/**
 * What begins a command in the log of a CI service: anywhere in a line for Azure Pipelines, TeamCity and old runners of
 * GitHub Actions, and at its start for GitHub Actions. Such a command changes the path or the variables of later steps.
 * Those that `lint --format github` writes only mark a place in a file.
 * @see https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
 * @see https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
const logCommands =
  /##(?=(?:vso|teamcity)?\[)|(?<=^[^\S\n]*)::(?=[a-z])(?!(?:error|notice|warning) file=)/gimu;

/** Empties the line of the progress. */
const emptyLine = '\r\u001B[2K';

/**
 * Returns a terminal that writes control characters as U+FFFD, whatever text they are in: a document, a file name or an
 * answer of a server. Without colours, it writes no sequence at all. It writes no command of a CI service either.
 * @param color whether the command line allows colours
 */
export function safeTerminal(terminal: Terminal, color: boolean): Terminal {
  const { ask, choose } = terminal;
  const colored = (stream: 'out' | 'error'): boolean => wantsColor(terminal, { color }, stream);
  return {
    ...terminal,
    out: (text) => terminal.out(toSafe(text, colored('out'))),
    error(text) {
      const start = terminal.errorIsTerminal && text.startsWith(emptyLine) ? emptyLine : '';
      terminal.error(start + toSafe(text.slice(start.length), colored('error')));
    },
    ...(ask === undefined ? {} : { ask: (prompt) => ask(toSafe(prompt, colored('error'))) }),
    ...(choose === undefined
      ? {}
      : {
          // The text of a choice can name what the contract declares; an answer that it names is returned as it is.
          choose: (choice) => choose({ ...choice, text: toSafe(choice.text, false) }),
        }),
  };
}

function toSafe(text: string, hasStyles: boolean): string {
  if (!hasStyles) return toText(text);
  let result = '';
  let done = 0;
  for (const { 0: style, index } of text.matchAll(styles)) {
    result += toText(text.slice(done, index)) + style;
    done = index + style.length;
  }
  return result + toText(text.slice(done));
}

function toText(text: string): string {
  return printableLines(text).replaceAll(logCommands, (mark) => `${mark.slice(1)}\ufffd`);
}
