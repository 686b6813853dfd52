import { createDiagnostic, type Diagnostic, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Documents, SourceFile } from '../documents/documents.ts';

/** The reason why the output folder could not be compared or written. */
export type OutputErrorCode =
  /** A run was killed while it wrote; the next `generate` recovers the folder. */
  | 'interrupted'
  /** Another run holds the folder. */
  | 'locked'
  /** Another process changed the version of a package during the run. */
  | 'changed'
  /** The system refuses to write: permissions, a read-only disk, or a file where the output needs a folder. */
  | 'not-writable'
  /** The disk or the quota is full. */
  | 'no-space'
  /** A path resolves outside of the folder, by its text or through a symbolic link. */
  | 'escaping-path'
  /** A path is not valid on some file system, or is reserved for the toolkit's own files. */
  | 'invalid-path'
  /** One path was generated twice, or two paths are equal on file systems that ignore case. */
  | 'duplicate-path'
  /** The first comment of a code file does not contain `@generated`. */
  | 'unmarked-file'
  /** A file that no run wrote is at a path that the output needs. */
  | 'occupied'
  /** A target threw. */
  | 'target-failed';

/** What failed in a target. */
export interface TargetFailure {
  readonly message: string;
  /** The place of the contract; the whole document where the target does not know it more precisely. */
  readonly pointer: Pointer;
  /** Replaces the help of the catalogue. */
  readonly help?: string;
}

/**
 * The error for output that cannot be generated, compared or written. Unless its code is `interrupted`, the folder has
 * one complete tree.
 */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly code: OutputErrorCode;
  /** The diagnostics of the contract, and the files that they refer to, if a target failed: they may be the reason. */
  contract?: { readonly diagnostics: readonly Diagnostic[]; readonly files: readonly SourceFile[] };
  /** The failures of targets, each with the place of the contract that the target was working on. */
  readonly failures: readonly TargetFailure[];

  constructor(
    code: OutputErrorCode,
    message: string,
    { failures = [], ...options }: ErrorOptions & Partial<Pick<OutputError, 'failures'>> = {},
  ) {
    super(message, options);
    this.code = code;
    this.failures = failures;
  }
}

/** Adds the diagnostics of a contract to the error of a target, which is one of them. Returns any other value as it is. */
export function withDiagnostics(
  error: unknown,
  diagnostics: readonly Diagnostic[],
  { files, locate }: Pick<Documents, 'files' | 'locate'>,
): unknown {
  if (!(error instanceof OutputError)) return error;
  const failed = error.failures.map(({ message, pointer, help }) =>
    createDiagnostic('target-failed', message, locate(pointer), { pointer, help }),
  );
  error.contract = { diagnostics: sortDiagnostics([...diagnostics, ...failed]), files };
  return error;
}

const codeOfSystemError: ReadonlyMap<string, OutputErrorCode> = new Map([
  ['ENOSPC', 'no-space'],
  ['EDQUOT', 'no-space'],
  ['ENAMETOOLONG', 'invalid-path'],
  ['ELOOP', 'escaping-path'],
]);

/** Converts an error of the file system to an `OutputError`; returns every other value as it is. */
export function toOutputError(error: unknown, folder: string): unknown {
  const system = systemErrorCode(error);
  if (system === undefined) return error;
  const code = codeOfSystemError.get(system) ?? 'not-writable';
  const path = error instanceof Error && 'path' in error ? String(error.path) : folder;
  const reason =
    code === 'no-space'
      ? 'there is no space left on the disk'
      : `the system refuses to write there (${system})`;
  return new OutputError(code, `Cannot write ${path}: ${reason}.`, { cause: error });
}

/** Returns the code of an error of the operating system, such as `ENOENT`; `undefined` for any other value. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
