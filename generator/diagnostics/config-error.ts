/** A problem of a configuration, with the member or the place that it is in. */
export interface ConfigProblem {
  /** Such as `targets[1]`; empty for the configuration as a whole. */
  readonly member: string;
  readonly message: string;
  /** The place in the file, counted from 1; known for errors that occur while the file is loaded. */
  readonly line?: number;
  /** In UTF-16 code units. */
  readonly column?: number;
  /** The line of the place, with a caret below the column. */
  readonly frame?: string;
}

/** `not-found`, `ambiguous`: no file, or several; `unreadable`: it does not load; `invalid`: it breaks its schema. */
export type ConfigErrorCode = 'not-found' | 'ambiguous' | 'unreadable' | 'invalid';

/** The error of a configuration that cannot be used, with every problem of the file. */
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
