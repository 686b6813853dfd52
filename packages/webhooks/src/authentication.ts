import { whenThere, type MaybePromise } from './maybe-promise.ts';
import type { DeliveredRequest } from './request.ts';
import { invalid } from './webhook-error.ts';

/** Whether a delivery is authentic. The reason is for the log of the receiver; senders never see it. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Says whether a delivery comes from whom it should come. Anything but `true` and `{ ok: true }` refuses it; an
 * error that it throws is answered with 500, so that the sender tries again.
 */
export type Authentication = (request: DeliveredRequest) => MaybePromise<boolean | Verdict>;

/** Takes every delivery as authentic. For receivers that something in front of them protects; nothing else does. */
export function unauthenticated(): Authentication {
  return () => true;
}

/** Authentic where a verifier of `@countersign/signing`, or anything shaped like it, says so. */
export function verifiedBy(verifier: {
  readonly verify: (request: DeliveredRequest) => MaybePromise<Verdict>;
}): Authentication {
  return (request) => verifier.verify(request);
}

/** Authentic where each of them says so; those behind the first refusal are not asked. */
export function allOf(...strategies: readonly Authentication[]): Authentication {
  assertStrategies(strategies);
  return (request) => ask(strategies, 0, request, false);
}

/** Authentic where one of them says so; those behind the first consent are not asked. */
export function anyOf(...strategies: readonly Authentication[]): Authentication {
  assertStrategies(strategies);
  return (request) => ask(strategies, 0, request, true);
}

/** The refusal that a verdict is, or `undefined` for consent. */
export function refusalOf(verdict: unknown): string | undefined {
  // Whatever untyped code answers: nothing that is only truthy consents.
  const { ok, reason } = Object(verdict) as { readonly ok?: unknown; readonly reason?: unknown };
  return verdict === true || ok === true
    ? undefined
    : typeof reason === 'string'
      ? reason
      : 'refused';
}

/** Asks one after the other until one says what decides. */
function ask(
  strategies: readonly Authentication[],
  index: number,
  request: DeliveredRequest,
  decisive: boolean,
): MaybePromise<Verdict> {
  const decide = (given: boolean | Verdict): MaybePromise<Verdict> => {
    const reason = refusalOf(given);
    const verdict: Verdict = reason === undefined ? { ok: true } : { ok: false, reason };
    const isLast = index === strategies.length - 1;
    if (isLast || verdict.ok === decisive) return verdict;
    return ask(strategies, index + 1, request, decisive);
  };
  const verdict = strategies[index]?.(request) ?? false;
  return whenThere(verdict, decide);
}

function assertStrategies(strategies: readonly Authentication[]): void {
  if (strategies.length === 0 || strategies.some((strategy) => typeof strategy !== 'function'))
    throw invalid('what authenticates is no function');
}
