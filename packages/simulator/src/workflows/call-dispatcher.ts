import type { AnsweredCall, CallServer } from '../calls/call-server.ts';
import type { CallMatch } from './match-call.ts';

/** A step that waits for a call. */
interface ExpectedCall {
  /** The names of the operations, one of which is called. */
  readonly operations: readonly string[];
  /** Only calls with this number or a later one count. */
  readonly since: number;
  match(call: AnsweredCall): CallMatch;
  /** Called with the call, which no other step gets. */
  accept(call: AnsweredCall): void;
  /** Called for a call of the operation that has other values. */
  refuse(differsAt: string): void;
}

/** Assigns calls to the steps that wait for them. */
export interface CallDispatcher {
  /** The number that the next call gets. */
  next(): number;
  /** Waits for a call, or takes one that arrived before. Returns a function that ends the wait. */
  expect(expected: ExpectedCall): () => void;
  /** Forgets the calls that no run needs. */
  release(): void;
  close(): void;
}

interface NumberedCall {
  readonly number: number;
  readonly call: AnsweredCall;
}

/** The maximum number of calls that are kept for later steps. */
const maxKept = 1000;

/** The maximum size of the bodies of these calls, in bytes. The newest call is kept in any case. */
const maxKeptBytes = 16 * 1024 * 1024;

/**
 * Creates a dispatcher. A call goes to the step with the most values that the call has. Of several, it goes to the one
 * that has waited longest. A call that arrives before its step is kept while a run needs it: a receiver can call while it
 * handles a notification.
 * @param isNeeded whether a step that has not started can still wait for calls of an operation
 */
export function createCallDispatcher(
  { onCall }: Pick<CallServer, 'onCall'>,
  isNeeded: (operation: string) => boolean,
): CallDispatcher {
  const waiting = new Set<ExpectedCall>();
  let kept: NumberedCall[] = [];
  let keptBytes = 0;
  let number = 0;

  const stop = onCall((call) => {
    number += 1;
    const numbered = { number, call };
    const [best] = [...waiting]
      .map((expected) => ({ expected, matched: matches(expected, numbered) }))
      .filter(({ matched }) => matched >= 0)
      .toSorted((a, b) => b.matched - a.matched);
    if (best === undefined) {
      if (!isNeeded(call.call.operation)) return;
      kept.push(numbered);
      keptBytes += sizeOf(call);
      while (kept.length > maxKept || (kept.length > 1 && keptBytes > maxKeptBytes))
        keptBytes -= sizeOf(kept.shift()?.call);
      return;
    }
    waiting.delete(best.expected);
    best.expected.accept(call);
  });

  return {
    next: () => number + 1,
    expect(expected) {
      const early = kept.find((numbered) => matches(expected, numbered) >= 0);
      if (early === undefined) {
        waiting.add(expected);
        return () => void waiting.delete(expected);
      }
      kept = kept.filter((call) => call !== early);
      keptBytes -= sizeOf(early.call);
      expected.accept(early.call);
      return () => undefined;
    },
    release() {
      kept = kept.filter(({ call }) => isNeeded(call.call.operation));
      keptBytes = kept.reduce((sum, { call }) => sum + sizeOf(call), 0);
    },
    close() {
      stop();
      waiting.clear();
      kept = [];
    },
  };
}

/** Returns how many stated values a call has, or -1 if it is not the expected call. */
function matches(expected: ExpectedCall, { number, call }: NumberedCall): number {
  if (number < expected.since || !expected.operations.includes(call.call.operation)) return -1;
  const { differsAt, matched } = expected.match(call);
  if (differsAt === undefined) return matched;
  expected.refuse(differsAt);
  return -1;
}

function sizeOf(call: AnsweredCall | undefined): number {
  const { request, response } = call?.entry ?? {};
  return (request?.body.size ?? 0) + (response?.body.size ?? 0);
}
