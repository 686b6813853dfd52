/** Why an application is left as it is. */
export type ScaffoldErrorCode =
  /** A file of the application does not parse. */
  | 'syntax-error'
  /** Nothing in the folder registers handlers, and there are files in the way of a new application. */
  | 'no-registration'
  /** There is more than one place where handlers are registered. */
  | 'several-registrations'
  /** The place was found, but not what it holds, or nothing can be inserted there. */
  | 'unreadable-registration'
  /** The application is made for another framework. */
  | 'other-framework'
  /** The contract leaves open what nothing is assumed for, and nobody has said what holds. */
  | 'unanswered'
  /** A file that would be written is there already. */
  | 'occupied'
  /** A file cannot be written back as it is, was changed meanwhile, or lies behind a link. */
  | 'not-writable';

/** A place in a file of the application; lines and columns count from 1. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** What is the matter, and where. */
export interface ScaffoldProblem {
  readonly message: string;
  readonly place?: Place;
}

/** A refusal: nothing was written. */
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

/** The beginning of a file, for what is the matter with all of it. */
export function wholeFile(path: string): Place {
  return { path, line: 1, column: 1 };
}
