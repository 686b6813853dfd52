import type { Json } from '../json/json.ts';
import { SchemaNode } from '../schema/node.ts';
import type {
  Acceptance,
  Operation,
  Parameter,
  Response,
  Statuses,
  SuccessResponse,
} from './contract.ts';

/** A declared response, with the statuses that it describes. */
export interface Outcome {
  readonly response: Response;
  readonly statuses: Statuses;
}

/** Returns the responses of an operation that a call returns, with their statuses. */
export function successesOf({ responses }: Pick<Operation, 'responses'>): readonly Outcome[] {
  return responses.flatMap((response) =>
    response.success === undefined ? [] : [{ response, statuses: response.success }],
  );
}

/** Returns the responses of an operation that a call rejects with, with their statuses. */
export function failuresOf({ responses }: Pick<Operation, 'responses'>): readonly Outcome[] {
  return responses.flatMap((response) =>
    response.failure === undefined ? [] : [{ response, statuses: response.failure }],
  );
}

/**
 * Returns the statuses of successes and failures that a response of an operation describes: a status from 400 on is a
 * failure. `default` describes the failures that nothing else does; if it is the only response, it describes 2XX too.
 * @param declared the statuses of all responses
 */
export function describeStatus(
  status: string,
  declared: readonly string[],
): Pick<Response, 'success' | 'failure'> {
  if (status === 'default') {
    const ranges = ['4XX', '5XX'].filter((range) => !declared.includes(range));
    return {
      ...(declared.length === 1 ? { success: inRanges(['2XX'], declared) } : {}),
      ...(ranges.length === 0 ? {} : { failure: inRanges(ranges, declared) }),
    };
  }
  const statuses = /^\d+$/u.test(status) ? Number(status) : inRanges([status], declared);
  return status >= '4' ? { failure: statuses } : { success: statuses };
}

function inRanges(ranges: readonly string[], declared: readonly string[]): Statuses {
  const without = declared.filter((status) =>
    ranges.some((range) => /^\d+$/u.test(status) && status[0] === range[0]),
  );
  return { ranges, without: without.map(Number) };
}

/** Returns whether a call of an operation can return: whether a response other than a failure is declared. */
export function hasSuccess(operation: Operation): boolean {
  // An interim response, such as 102, is no answer (RFC 9110, section 15.2).
  return successesOf(operation).some(({ response }) => !response.status.startsWith('1'));
}

/**
 * Returns the responses with which receivers can accept a notification, the default first: the first whose body the
 * contract states, or else the one with the lowest status. A range comes after the statuses, and stands for 200.
 */
export function acceptancesOf(successes: readonly SuccessResponse[]): readonly Acceptance[] {
  const rankOf = ({ status, answers }: SuccessResponse): number =>
    answers.length > 0 ? 0 : /^\d+$/u.test(status) ? Number(status) : Infinity;
  const ordered = successes
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ status, answers: [answer] }): Acceptance => {
      if (answer === undefined) return { status: /^\d+$/u.test(status) ? Number(status) : 200 };
      const { status: code, ...body } = answer;
      return { status: code, body };
    });
  return ordered.filter(
    ({ status }, index) => ordered.findIndex((other) => other.status === status) === index,
  );
}

/** Returns the values of required headers, by name: of each an example, or what its schema states. */
export function fixedHeadersOf(headers: Response['headers']): Response['fixedHeaders'] {
  return Object.fromEntries(
    headers.flatMap((header) => {
      const value = header.required ? valueOf(header) : undefined;
      return value === undefined ? [] : [[header.name, value] as const];
    }),
  );
}

function valueOf({ examples, schema }: Parameter): string | undefined {
  const node = new SchemaNode(schema);
  const value: Json | undefined =
    examples[0] ?? node.values?.[0] ?? node.list('examples')?.[0] ?? node.keywords['default'];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
