/** The reason for which an application is not written, or its handlers are not found. */
export type ScaffoldErrorCode =
  /** A file of the application does not parse. */
  | 'syntax-error'
  /** Nothing in the folder registers handlers. */
  | 'no-registration'
  /** The folder has too many TypeScript files to be that of an application. */
  | 'too-many-files'
  /** TypeScript cannot list the handlers that are registered at a place. */
  | 'unreadable-registration'
  /** The contract has an open question without an assumption, and the user has not answered it. */
  | 'unanswered'
  /** A file to create exists already. */
  | 'occupied'
  /** A file was changed in the meantime, or is read-only. */
  | 'not-writable';

/** A place in a file of the application. Lines and columns count from 1. */
export interface SourcePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A problem and its place. */
export interface ScaffoldProblem {
  readonly message: string;
  readonly place?: SourcePlace;
}

/** A failure to write or to read an application; no file was changed. */
export class ScaffoldError extends Error {
  override readonly name = 'ScaffoldError';
  readonly code: ScaffoldErrorCode;
  readonly problems: readonly ScaffoldProblem[];

  constructor(code: ScaffoldErrorCode, ...problems: readonly ScaffoldProblem[]) {
    super(problems.map(({ message }) => message).join('; '));
    this.code = code;
    this.problems = problems;
  }
}

/** Returns the beginning of a file, as the place of a problem with the whole file. */
export function wholeFile(path: string): SourcePlace {
  return { path, line: 1, column: 1 };
}
