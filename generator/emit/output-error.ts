/** Why the output folder could not be compared or written. */
export type OutputErrorCode =
  /** A run was killed while it wrote; the next `generate` mends the folder. */
  | 'interrupted'
  /** Another run holds the folder. */
  | 'locked'
  /** The system refuses to write: permissions, a read-only disk, a file where a folder has to be. */
  | 'not-writable'
  /** The disk or the quota is full. */
  | 'no-space'
  /** A path leads out of the folder, by its text or by a symbolic link. */
  | 'escaping-path'
  /** A path holds what some file system or the folder's own bookkeeping does not allow. */
  | 'invalid-path'
  /** One path was produced twice, or two paths are one where case is folded. */
  | 'duplicate-path'
  /** A code file does not say in its first comment that it is generated. */
  | 'unmarked-file'
  /** A file that no run has written stands where one has to be written. */
  | 'occupied'
  /** A target threw. */
  | 'target-failed';

/** The one error of the output side. Whatever its code, the folder holds one whole tree, or refuses as `interrupted`. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly code: OutputErrorCode;

  constructor(code: OutputErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const codeOfSystemError: ReadonlyMap<string, OutputErrorCode> = new Map([
  ['ENOSPC', 'no-space'],
  ['EDQUOT', 'no-space'],
  ['ENAMETOOLONG', 'invalid-path'],
  ['ELOOP', 'escaping-path'],
]);

/** Turns an error of the file system into an `OutputError`; every other value comes back as it is. */
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

/** The code of an error that came from the operating system, such as `ENOENT`. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
