import type { ExitCode } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** The flags that every command accepts. */
export interface Flags {
  readonly config?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/** One invocation of a command, as parsed from the command line. */
export interface Invocation {
  readonly command: string;
  readonly flags: Flags;
  /** The arguments, in the order of the command's `parameters`; an omitted one is `undefined`. */
  readonly values: readonly (string | undefined)[];
  /** The command's own options, by their names in camel case. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly terminal: Terminal;
}

/** An argument or an option: its name as help prints it (`<dir>`, `[head]`, `--to <url>`), and its meaning. */
export interface DescribedArgument {
  readonly name: string;
  readonly meaning: string;
}

/** The option of commands that read one contract. */
export const scopeOption: DescribedArgument = {
  name: '--scope <scope>',
  meaning: 'which contract, if the configuration has several',
};

/** A command: its help page and its implementation. `run` imports its dependencies when it is called. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly DescribedArgument[];
  readonly options?: readonly DescribedArgument[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  run(invocation: Invocation): Promise<ExitCode>;
}
