import { describeFailure } from './describe-failure.ts';

/** A failure without a listener. */
interface UnheardFailure {
  /** The code of the warning, such as `COUNTERSIGN_HANDLER_FAILED`. */
  readonly code: string;
  /** What failed. It contains no data. */
  readonly message: string;
  /** What follows from the failure, and what to do. */
  readonly help: string;
  /** What was thrown; `undefined` where nothing was. Of this, only class, code and a frame of the stack are shown. */
  readonly error?: unknown;
}

/** Reports a failure as a process warning, once for each cause. Never throws. */
export type WarnOfFailure = (failure: UnheardFailure) => void;

/** Maximum number of causes to report. An error can have any class and code, such as one that a sender chose. */
const maxCauses = 100;

/**
 * Creates the function that reports failures without a listener. A cause is the code, the message, and the class, code
 * and first frame of the error.
 */
export function createFailureWarnings(): WarnOfFailure {
  const causes = new Set<string>();
  return ({ code, message, help, error }) => {
    if (causes.size === maxCauses) return;
    const { name, frame } = describeFailure(error);
    const text = error === undefined ? message : `${message}: ${name}`;
    const at = frame === undefined ? '' : `    at ${frame}\n`;
    const cause = [code, text, at].join('\n');
    if (causes.has(cause)) return;
    causes.add(cause);
    const end = causes.size < maxCauses ? '' : '\nNo further cause is reported.';
    const detail = at + help + end;
    const { process } = globalThis as {
      readonly process?: { emitWarning(text: string, options: object): void };
    };
    try {
      if (process === undefined) throw new TypeError('no process');
      process.emitWarning(text, { code, detail });
    } catch {
      // Platforms without process warnings, such as Workers and browsers, log the console instead.
      // oxlint-disable-next-line no-console -- the only log of such a platform
      console.warn(`[${code}] Warning: ${text}\n${detail}`);
    }
  };
}
