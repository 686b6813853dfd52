/** The reason for which an application is not changed. */
export type ScaffoldErrorCode =
  /** A file of the application does not parse. */
  | 'syntax-error'
  /** Nothing in the folder registers handlers, and existing files prevent a new application. */
  | 'no-registration'
  /** The folder has too many TypeScript files to be that of an application. */
  | 'too-many-files'
  /** Handlers are registered in more than one place. */
  | 'several-registrations'
  /** The registration was found, but it cannot be resolved statically, or nothing can be inserted into it. */
  | 'unreadable-registration'
  /** The application uses another framework. */
  | 'other-framework'
  /** The application has another inbox than the user gave, or none. */
  | 'other-inbox'
  /** The contract has an open question without an assumption, and the user has not answered it. */
  | 'unanswered'
  /** A file to create exists already. */
  | 'occupied'
  /** A file is not UTF-8, was changed in the meantime, or is behind a symbolic link. */
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

/** A failure to scaffold; no file was changed. */
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
