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
  out(text: string): void;
  error(text: string): void;
}

/** Returns whether to write colours to a stream: the flag, then `NO_COLOR`, `FORCE_COLOR`, and the terminal decide. */
export function wantsColor(
  environment: Terminal['environment'],
  isTerminal: boolean,
  flag: boolean,
): boolean {
  if (!flag || (environment['NO_COLOR'] ?? '') !== '') return false;
  const force = environment['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && environment['TERM'] !== 'dumb';
}

/**
 * Writes one JSON document to standard output. Characters that could control the terminal are escaped; those below
 * U+0020 are by JSON itself.
 */
export function writeJson(terminal: Terminal, value: object): void {
  const text = JSON.stringify(value, null, 2);
  terminal.out(`${text.replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, toEscape)}\n`);
}

/** Returns the escape of each UTF-16 code unit. */
function toEscape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
