/** A problem of a configuration, with its member or its place in the file. */
export interface ConfigProblem {
  /** Such as `targets[1]`; empty for the configuration as a whole. */
  readonly member: string;
  readonly message: string;
  /** The line in the file, counted from 1. Known for errors that occur while the file is loaded. */
  readonly line?: number;
  /** In UTF-16 code units. */
  readonly column?: number;
  /** The line of the place, with a caret below the column. */
  readonly frame?: string;
}

/**
 * `not-found` and `ambiguous`: there is no file, or there are several. `unreadable`: the file does not load. `invalid`:
 * it violates its schema.
 */
export type ConfigErrorCode = 'not-found' | 'ambiguous' | 'unreadable' | 'invalid';

/** The error of a configuration that cannot be used, with every problem of the file. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code: ConfigErrorCode;
  /**
   * The configuration file, or the folder that was searched for one. Empty if the caller passed the configuration as an
   * object.
   */
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
