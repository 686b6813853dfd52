import { memoize } from '../execution/memoize.ts';
import type { Operation, Response } from './contract.ts';

/** The declared responses of an operation, as a client reports them. */
export interface Outcomes {
  /** Responses that a call returns. */
  readonly successes: readonly Outcome[];
  /** Responses that a call rejects with. */
  readonly failures: readonly Outcome[];
}

/** A declared response, with the statuses that it describes. */
export interface Outcome {
  readonly response: Response;
  /** One status, or the ranges, such as `4XX`, without the statuses of them that have a declaration of their own. */
  readonly statuses:
    | number
    | { readonly ranges: readonly string[]; readonly without: readonly number[] };
}

/**
 * Divides the responses of an operation into successes and failures: a status from 400 on is a failure. `default`
 * describes the failures that nothing else does; if it is the only response, it describes 2XX too.
 */
export const outcomesOf: (operation: Operation) => Outcomes = memoize(divide);

function divide({ responses }: Operation): Outcomes {
  const declared = responses.map(({ status }) => status);
  const outcomes = responses.flatMap((response): readonly Outcome[] => {
    const { status } = response;
    if (/^\d+$/u.test(status)) return [{ response, statuses: Number(status) }];
    if (status !== 'default') return [inRanges(response, [status], declared)];
    const ranges = ['4XX', '5XX'].filter((range) => !declared.includes(range));
    return [
      ...(declared.length === 1 ? [inRanges(response, ['2XX'], declared)] : []),
      ...(ranges.length === 0 ? [] : [inRanges(response, ranges, declared)]),
    ];
  });
  return {
    successes: outcomes.filter((outcome) => !isFailure(outcome)),
    failures: outcomes.filter(isFailure),
  };
}

function inRanges(
  response: Response,
  ranges: readonly string[],
  declared: readonly string[],
): Outcome {
  const without = declared.filter((status) =>
    ranges.some((range) => /^\d+$/u.test(status) && status[0] === range[0]),
  );
  return { response, statuses: { ranges, without: without.map(Number) } };
}

function isFailure({ statuses }: Outcome): boolean {
  const [lowest = ''] = typeof statuses === 'number' ? [`${statuses}`] : statuses.ranges;
  return lowest >= '4';
}

/** Returns whether a call of an operation can return: whether a response other than a failure is declared. */
export function hasSuccess(operation: Operation): boolean {
  // An interim response, such as 102, is no answer (RFC 9110, section 15.2).
  return outcomesOf(operation).successes.some(({ response }) => !response.status.startsWith('1'));
}
