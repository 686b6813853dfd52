import type {
  Argument as TypedArgument,
  Command as TypedCommand,
  Option as TypedOption,
  OptionValues,
} from '@commander-js/extra-typings';
import { Argument, Option } from 'commander';
import type { Json } from '../json/json.ts';
import { CommandError } from '../tools/command-error.ts';
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
export interface Invocation<
  Options extends object = object,
  Values extends readonly unknown[] = readonly unknown[],
> {
  readonly command: string;
  readonly flags: Flags;
  /** The arguments, in the order in which the command declares them. */
  readonly values: Values;
  /** The command's own options, by their names in camel case. */
  readonly options: Options;
  readonly terminal: Terminal;
}

/** An example of a command line, and its meaning. */
export type Example = readonly [command: string, meaning: string];

/** What a command takes, and what it does. */
interface Definition<Values extends unknown[], Options extends OptionValues> {
  readonly description: string;
  /** Examples beside that of the table of commands. */
  readonly examples?: readonly Example[];
  /** Declares the arguments and the options. */
  readonly syntax: (command: TypedCommand) => TypedCommand<Values, Options>;
  /** Imports what it needs when it is called. */
  readonly run: (invocation: Invocation<Options, Values>) => Promise<ExitCode>;
}

/** A command whose arguments and options are checked by the compiler where it is defined. */
export interface CliCommand {
  readonly description: string;
  readonly examples?: readonly Example[];
  readonly syntax: (command: TypedCommand) => unknown;
  readonly run: (invocation: Invocation) => Promise<ExitCode>;
}

/** Defines a command: `run` gets the arguments and options that `syntax` declares. */
export function defineCommand<Values extends unknown[], Options extends OptionValues>(
  definition: Definition<Values, Options>,
): CliCommand {
  return definition as unknown as CliCommand;
}

/** An option with a parser, whose values are of the type `Value`. */
type Parsed<Usage extends string, Value> = TypedOption<Usage, undefined, undefined, Value>;

/** Names and their values, in the order in which they are given. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** Creates an argument that can have choices. */
export function argument<Usage extends string>(
  usage: Usage,
  meaning: string,
): TypedArgument<Usage> {
  return new Argument(usage, meaning) as TypedArgument<Usage>;
}

/** Creates an option that can have choices and conflicts. */
export function option<Usage extends string>(usage: Usage, meaning: string): TypedOption<Usage> {
  return new Option(usage, meaning) as TypedOption<Usage>;
}

/** Creates an option that turns off what is on. Its default is explicit: commander sets it before a command is loaded. */
export function without<Usage extends `--no-${string}`>(
  usage: Usage,
  meaning: string,
): TypedOption<Usage, undefined, boolean> {
  return option(usage, meaning).default(true);
}

/** Creates an option that takes one value and can be given several times. */
export function repeatable<Usage extends string>(
  usage: Usage,
  meaning: string,
): Parsed<Usage, readonly string[]> {
  return option(usage, `${meaning}; repeatable`).argParser(collect);
}

/**
 * Creates an option whose values consist of a name, a separator and a text, and which can be given several times. Other
 * values are misuse, with a message that does not repeat them: they can be secret.
 */
export function pairs<Usage extends string>(
  usage: Usage,
  meaning: string,
  separator: '=' | ':' = '=',
): Parsed<Usage, Pairs> {
  return option(usage, `${meaning}; repeatable`).argParser<Pairs | undefined>(
    (value, before = []) => {
      const at = value.indexOf(separator);
      if (at < 1)
        throw new CommandError(
          'usage',
          `${flagOf(usage)} requires a name, \`${separator}\` and a value.`,
        );
      return [...before, [value.slice(0, at).trim(), value.slice(at + 1)]];
    },
  );
}

/** Creates an option that is JSON. Anything else is misuse. */
export function json<Usage extends string>(usage: Usage, meaning: string): Parsed<Usage, Json> {
  return option(usage, meaning).argParser<Json>((value) => {
    try {
      return JSON.parse(value) as Json;
    } catch {
      throw new CommandError('usage', `${flagOf(usage)} is not valid JSON.`);
    }
  });
}

/** Creates an option that is a whole number in a range. Anything else is misuse. */
export function integer<Usage extends string>(
  usage: Usage,
  meaning: string,
  from: number,
  to: number,
): Parsed<Usage, number> {
  return option(usage, meaning).argParser<number>((value) => {
    const number = Number(value);
    if (/^\d+$/u.test(value) && number >= from && number <= to) return number;
    throw new CommandError(
      'usage',
      `${flagOf(usage)} requires a whole number from ${from} to ${to}.`,
    );
  });
}

/** Creates an option that is a TCP port, where 0 stands for any free one. */
export function port<Usage extends string>(usage: Usage, meaning: string): Parsed<Usage, number> {
  return integer(usage, meaning, 0, 65_535);
}

/** Creates an option that is a time limit in milliseconds. */
export function milliseconds<Usage extends string>(
  usage: Usage,
  meaning: string,
): Parsed<Usage, number> {
  return integer(usage, meaning, 1, 2 ** 31 - 1);
}

/** The option of commands that read one contract. */
export const scopeOption = [
  '--scope <scope>',
  'which contract, if the configuration has several',
] as const;

/** The option that `scopeOption` declares. */
export interface ScopeOption {
  readonly scope?: string;
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Returns the name of an option as it is written on the command line. */
function flagOf(usage: string): string {
  const [flag = usage] = usage.split(' ');
  return flag;
}
