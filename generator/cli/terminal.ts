/** Everything a command knows of the process it runs in; `cli.ts` makes the real one. */
export interface Terminal {
  /** The working directory, absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person watches standard output, and standard error. */
  readonly outIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
  /** Characters in a line of standard error. */
  readonly columns: number;
  /** Comes when the process is asked to end, which it then does not do by itself; left out where nobody can ask. */
  readonly untilInterrupted?: () => Promise<void>;
  /** Asks whoever sits at the terminal for a line; `undefined` where they want none of it. Left out where nobody does. */
  readonly ask?: (prompt: string) => Promise<string | undefined>;
  out(text: string): void;
  error(text: string): void;
}

/** Whether to write colours to a stream. */
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
