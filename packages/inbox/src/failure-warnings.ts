import { describeFailure } from './describe-failure.ts';

/** A failure without a listener. */
export interface UnheardFailure {
  /** The code of the warning, such as `COUNTERSIGN_HANDLER_FAILED`. */
  readonly code: string;
  /** What failed. It contains no data. */
  readonly message: string;
  /** What follows from the failure, and what to do. */
  readonly help: string;
  /** What was thrown; absent where nothing was. Of this, only class, code and a frame of the stack are shown. */
  readonly error?: unknown;
}

/** Reports a failure as a process warning, once for each cause. Never throws. */
export type WarnOfFailure = (failure: UnheardFailure) => void;

/** Maximum number of causes to remember. An error can have any class and code, such as one that a sender chose. */
const maxCauses = 100;

/**
 * Creates the function that reports failures without a listener. A cause is the code, the message, and the class, code
 * and first frame of the error.
 */
export function createFailureWarnings(): WarnOfFailure {
  const causes = new Set<string>();
  return (failure) => {
    if (causes.size > maxCauses) return;
    const { code, message, help } = failure;
    const { name, frame } = 'error' in failure ? describeFailure(failure.error) : nothing;
    const text = name === undefined ? message : `${message}: ${name}`;
    const cause = [code, text, frame].join('\n');
    if (causes.has(cause)) return;
    causes.add(cause);
    if (causes.size > maxCauses)
      emitWarning(
        code,
        `More than ${maxCauses} failures differ. The others are not reported.`,
        help,
      );
    else emitWarning(code, text, frame === undefined ? help : `    at ${frame}\n${help}`);
  };
}

const nothing = { name: undefined, frame: undefined };

/** Emits a process warning. Platforms without process warnings, such as Workers, log the console instead. */
function emitWarning(code: string, message: string, detail: string): void {
  try {
    if (typeof process === 'object' && typeof process.emitWarning === 'function')
      process.emitWarning(message, { code, detail });
    // oxlint-disable-next-line no-console -- the only log of such a platform
    else console.warn(`[${code}] Warning: ${message}\n${detail}`);
  } catch {
    // A warning that cannot be emitted must not fail the work.
  }
}
