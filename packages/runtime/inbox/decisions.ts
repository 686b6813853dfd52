import { isTimeLimit } from './attempt.ts';
import { InboxError } from './inbox-error.ts';

/**
 * What a handler can decide about its event instead of returning a result. The first three methods end the attempt:
 * they throw, and nothing that the handler has written with the store takes effect. The first decision of an attempt
 * counts, also where the handler catches what the method throws.
 */
export interface HandlerDecisions {
  /**
   * Lets the event be tried again at a time, instead of after the usual delay. The attempt counts, so that the
   * event is a dead letter after the last one. Later events of its key wait.
   * @param reason what operators see; without personal data, at most 1,000 characters
   * @throws InboxError `invalid-option` for an invalid time or an empty reason, which makes the attempt fail
   */
  readonly retryAt: (at: Date, reason: string) => never;
  /**
   * Makes the event a dead letter at once.
   * @param reason what operators see; without personal data, at most 1,000 characters
   * @throws InboxError `invalid-option` for an empty reason, which makes the attempt fail
   */
  readonly deadLetter: (reason: string) => never;
  /** Completes the event. */
  readonly completeWithoutEffect: () => never;
  /**
   * Lets the attempt take at least so many milliseconds from now. The lease is renewed without it.
   * @throws the reason of `signal` if the attempt has ended already, and InboxError `invalid-option` for a number that is
   * not above 0 and below 2^31
   */
  readonly extendTimeout: (attemptTimeoutMs: number) => void;
}

/** A decision of a handler. Operators see the message of the error. */
export type Decision =
  | { readonly action: 'retry'; readonly error: InboxError; readonly at: number }
  | { readonly action: 'bury'; readonly error: InboxError }
  | { readonly action: 'complete'; readonly error: InboxError };

/**
 * Creates the methods with which a handler decides. They throw the reason of `signal` after it is aborted.
 * @param decide is called with each decision before the method throws
 * @param extend is called with the milliseconds that the attempt may take from now
 */
export function createDecisions(
  signal: AbortSignal,
  decide: (decision: Decision) => void,
  extend: (attemptTimeoutMs: number) => void,
): HandlerDecisions {
  const end = (decision: Decision): never => {
    signal.throwIfAborted();
    decide(decision);
    throw decision.error;
  };
  return {
    retryAt(at, reason) {
      const time = at instanceof Date ? at.getTime() : Number.NaN;
      if (Number.isNaN(time))
        throw new InboxError('invalid-option', 'The time of `retryAt` must be a valid Date');
      const error = new InboxError('postponed', checkReason('retryAt', reason));
      return end({ action: 'retry', error, at: time });
    },
    deadLetter(reason) {
      const error = new InboxError('dead-letter', checkReason('deadLetter', reason));
      return end({ action: 'bury', error });
    },
    completeWithoutEffect() {
      const error = new InboxError('without-effect', 'The handler completes its event');
      return end({ action: 'complete', error });
    },
    extendTimeout(attemptTimeoutMs) {
      signal.throwIfAborted();
      if (!isTimeLimit(attemptTimeoutMs))
        throw new InboxError(
          'invalid-option',
          'The time of `extendTimeout` must be above 0 and below 2^31',
        );
      extend(attemptTimeoutMs);
    },
  };
}

/** @throws InboxError `invalid-option` */
function checkReason(method: 'retryAt' | 'deadLetter', reason: string): string {
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new InboxError('invalid-option', `\`${method}\` needs a reason for operators`);
  return reason;
}
