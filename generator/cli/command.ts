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

/** An argument, an option or an example as help prints it (`<dir>`, `[head]`, `--to <url>`), and its meaning. */
export type Described = readonly [term: string, meaning: string];

/** The option of commands that read one contract. */
export const scopeOption: Described = [
  '--scope <scope>',
  'which contract, if the configuration has several',
];

/** A command: its help page and its implementation. `run` imports its dependencies when it is called. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Described[];
  readonly options?: readonly Described[];
  readonly examples: readonly Described[];
  run(invocation: Invocation): Promise<ExitCode>;
}

/** The options that `readTlsFiles` of `tls-files.ts` reads. */
export function tlsOptions(prefix: string): readonly (readonly [flag: string, about: string])[] {
  return [
    ['--client-cert <file>', `${prefix}the client certificate of deliveries (PEM)`],
    ['--client-key <file>', `${prefix}its private key (PEM)`],
    ['--ca <file>', `${prefix}the authority of the certificate of the receiver (PEM)`],
  ];
}
