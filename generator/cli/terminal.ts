import { escapeUnits, invisible } from '../json/json-literal.ts';

/** A question whose answers the user chooses from. */
export interface AskedChoice {
  readonly text: string;
  /** The answers, each with what it means. `<name>` at the end of one stands for a text of the user. */
  readonly answers: readonly { readonly name: string; readonly about?: string }[];
  /** Whether several may be chosen. They are then one text, separated by commas; so are those proposed. */
  readonly isSeveral: boolean;
  readonly proposal?: string;
}

/** What a command can access of its process; `cli.ts` creates the real one. */
export interface Terminal {
  /** The working directory, absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether standard output is a terminal; `errorIsTerminal` is the same for standard error. */
  readonly outIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
  /** Characters in a line of standard error. */
  readonly columns: number;
  /** Resolves when the process gets SIGINT or SIGTERM, which then do not end it. Absent if signals are not handled. */
  readonly untilInterrupted?: () => Promise<void>;
  /** Asks the user for a line; `undefined` if the user closes the input. Absent without an interactive terminal. */
  readonly ask?: (prompt: string) => Promise<string | undefined>;
  /** Lets the user choose; `undefined` if the user cancels. Absent without an interactive terminal. */
  readonly choose?: (choice: AskedChoice) => Promise<string | undefined>;
  /**
   * Resolves when standard output has taken what was written; false if its reader is gone. Absent if output is collected
   * in memory.
   */
  readonly outIsReady?: () => Promise<boolean>;
  out(text: string): void;
  error(text: string): void;
}

/** Returns whether to write colours to a stream: the flag, then `NO_COLOR`, `FORCE_COLOR`, and the terminal decide. */
export function wantsColor(
  { environment, outIsTerminal, errorIsTerminal }: Terminal,
  { color }: { readonly color: boolean },
  stream: 'out' | 'error' = 'out',
): boolean {
  const isTerminal = stream === 'out' ? outIsTerminal : errorIsTerminal;
  if (!color || (environment['NO_COLOR'] ?? '') !== '') return false;
  const force = environment['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && environment['TERM'] !== 'dumb';
}

/** Writes one JSON document to standard output. */
export function writeJson(terminal: Terminal, value: object): void {
  terminal.out(`${toVisibleJson(value)}\n`);
}

/**
 * Returns JSON in which characters that a terminal interprets, or that are invisible, are escaped, and so is what begins
 * a command in the log of a CI service. With an indentation of 0, it is one line.
 */
export function toVisibleJson(value: unknown, indentation = 2): string {
  return JSON.stringify(value, null, indentation)
    .replaceAll(invisible, (character) => (character === '\n' ? character : escapeUnits(character)))
    .replaceAll('##', String.raw`\u0023#`);
}
