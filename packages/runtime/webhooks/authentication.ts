import { mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import type { DeliveredRequest } from './request.ts';
import { invalid } from './webhook-error.ts';

/** Why a strategy for secrets or credentials refuses a delivery. */
export type SecretFailure =
  /** The delivery has no secret where the strategy reads one. */
  | 'missing-secret'
  /** The delivery has several secrets where there must be one. */
  | 'repeated-secret'
  /** The secret is none of those that the strategy accepts. */
  | 'wrong-secret'
  /** A header of `withHeader` is missing, repeated, or has another value. */
  | 'wrong-header';

/** The result of an authentication. The reason is for the receiver's log; senders never see it. */
export type Verdict<Reason extends string = string> =
  | {
      readonly ok: true;
      /**
       * The decoded segments of the path that are secret. The receiver reads, passes on and stores the path without
       * them.
       */
      readonly secretSegments?: readonly string[];
    }
  | { readonly ok: false; readonly reason: Reason };

/**
 * Authenticates a delivery. Any result other than `true` and `{ ok: true }` refuses it. An error that it throws is
 * answered with status 500 by default, because a sender that repeats failed deliveries can then repeat it.
 */
export interface Authentication extends ForAdapters {
  (request: DeliveredRequest): MaybePromise<boolean | Verdict>;
}

/** The adapters that differ in what they know of a connection. Those of Node's frameworks are `node`. */
export type AdapterName = 'aws-lambda' | 'cloudflare' | 'fetch' | 'hono' | 'node';

/** What not every adapter can serve. */
export interface ForAdapters {
  /**
   * Admits an adapter that provides what is read of a connection. Adapters call it when they are created. A function that
   * wraps another one and lacks it admits every adapter; deliveries that lack the connection then fail.
   * @throws WebhookError `invalid-option` for an adapter that does not provide it
   */
  admit?: ((adapter: AdapterName | undefined) => void) | undefined;
}

/**
 * Creates an authentication that accepts every delivery. Use it only where another component in front of the receiver
 * authenticates deliveries.
 */
export function unauthenticated(): Authentication {
  return () => true;
}

/** Creates an authentication from a verifier of `@countersign/runtime/signing`, or from any object with the same method. */
export function verifiedBy(verifier: {
  readonly verify: (request: DeliveredRequest) => MaybePromise<Verdict>;
}): Authentication {
  return (request) => verifier.verify(request);
}

/**
 * Creates an authentication that succeeds where all strategies do. It calls them in order and stops at the first
 * refusal.
 * @throws WebhookError `invalid-option` where there is no strategy, or one is not a function
 */
export function allOf(...strategies: readonly Authentication[]): Authentication {
  return combine(strategies, false);
}

/**
 * Creates an authentication that succeeds where one of the strategies does. It calls them in order and stops at the
 * first success. If all refuse, the reason is that of the last.
 * @throws WebhookError `invalid-option` where there is no strategy, or one is not a function
 */
export function anyOf(...strategies: readonly Authentication[]): Authentication {
  return combine(strategies, true);
}

/** Returns the reason of a refusal, or `undefined` for an authentic delivery. */
export function refusalOf(verdict: unknown): string | undefined {
  // Untyped code can return anything: values that are merely truthy count as refusals.
  const { ok, reason } = Object(verdict) as { readonly ok?: unknown; readonly reason?: unknown };
  return verdict === true || ok === true
    ? undefined
    : typeof reason === 'string'
      ? reason
      : 'refused';
}

/** Returns the secret segments of an authentic delivery. */
export function secretSegmentsOf(verdict: unknown): readonly string[] {
  const { secretSegments } = Object(verdict) as { readonly secretSegments?: unknown };
  return Array.isArray(secretSegments) ? (secretSegments as readonly string[]) : [];
}

function combine(strategies: readonly Authentication[], decisive: boolean): Authentication {
  assertStrategies(strategies);
  const authenticate: Authentication = (request) => tryStrategies(strategies, 0, request, decisive);
  return Object.assign(authenticate, {
    admit: (adapter: AdapterName | undefined) => {
      for (const strategy of strategies) strategy.admit?.(adapter);
    },
  });
}

/** Calls the strategies in order, until one returns the decisive result. */
function tryStrategies(
  strategies: readonly Authentication[],
  index: number,
  request: DeliveredRequest,
  decisive: boolean,
  before: readonly string[] = [],
): MaybePromise<Verdict> {
  const decide = (verdict: boolean | Verdict): MaybePromise<Verdict> => {
    const reason = refusalOf(verdict);
    const secretSegments = [...before, ...secretSegmentsOf(verdict)];
    const ok = reason === undefined;
    if (index < strategies.length - 1 && ok !== decisive)
      return tryStrategies(strategies, index + 1, request, decisive, secretSegments);
    return ok ? { ok, secretSegments } : { ok, reason };
  };
  return mapMaybePromise(strategies[index]?.(request) ?? false, decide);
}

function assertStrategies(strategies: readonly Authentication[]): void {
  if (strategies.length === 0 || strategies.some((strategy) => typeof strategy !== 'function'))
    throw invalid(
      'every strategy of `allOf` and `anyOf` must be a function, and there must be at least one',
    );
}
