/** A mistake in a configuration, and the member it is in. */
export interface ConfigProblem {
  /** Such as `targets[1]`; empty for the configuration as a whole. */
  readonly member: string;
  readonly message: string;
}

/** `not-found`, `ambiguous`: which file is meant; `unreadable`: it does not load; `invalid`: what it says. */
export type ConfigErrorCode = 'not-found' | 'ambiguous' | 'unreadable' | 'invalid';

/** The one error of a configuration: a misuse, with every problem of the file named at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code: ConfigErrorCode;
  /** The configuration file, or the folder where one was looked for; empty where a program gave the object. */
  readonly file: string;
  readonly problems: readonly ConfigProblem[];

  constructor(
    code: ConfigErrorCode,
    file: string,
    problems: readonly ConfigProblem[],
    options?: ErrorOptions,
  ) {
    super(
      problems
        .map(({ member, message }) => [member, message].filter(Boolean).join(': '))
        .join('\n'),
      options,
    );
    this.code = code;
    this.file = file;
    this.problems = problems;
  }
}
