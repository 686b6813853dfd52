import type { ExitCode } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** What the flags say, the same for every command. */
export interface Flags {
  readonly config?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/** One use of a command. */
export interface Invocation {
  readonly command: string;
  readonly flags: Flags;
  /** In the order of the command's `parameters`; one that was left out is `undefined`. */
  readonly values: readonly (string | undefined)[];
  /** The command's own options, by their names in camel case. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly terminal: Terminal;
}

/** An argument or an option: as help writes it (`<dir>`, `[head]`, `--to <url>`), and what it means. */
export interface Described {
  readonly name: string;
  readonly meaning: string;
}

/** A command: its page of help, and what it does. A command imports what it needs when it runs. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Described[];
  readonly options?: readonly Described[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  run(invocation: Invocation): Promise<ExitCode>;
}
