import { expect, test } from 'vitest';
import type { Operation } from '../../generator/contract/contract.ts';
import {
  describeStatus,
  failuresOf,
  hasSuccess,
  type Outcome,
  successesOf,
} from '../../generator/contract/outcomes.ts';

const operationWith = (statuses: readonly string[]): Operation =>
  ({
    responses: statuses.map((status) => ({ status, ...describeStatus(status, statuses) })),
  }) as unknown as Operation;

const show = ({ statuses }: Outcome): string =>
  typeof statuses === 'number'
    ? `${statuses}`
    : [statuses.ranges.join('+'), ...statuses.without].join('-');

test.each([
  [['200'], '200', '', true],
  [['201', '402', '401'], '201', '402 401', true],
  [['304', '301'], '304 301', '', true],
  [['200', '2XX', '3XX'], '200 2XX-200 3XX', '', true],
  [['200', '4XX', '404'], '200', '4XX-404 404', true],
  // `default` describes failures, without those that have a declaration.
  [['200', 'default'], '200', '4XX+5XX', true],
  [['200', '404', '503', 'default'], '200', '404 503 4XX+5XX-404-503', true],
  [['200', '4XX', '404', 'default'], '200', '4XX-404 404 5XX', true],
  [['200', '4XX', '5XX', 'default'], '200', '4XX 5XX', true],
  // Alone, it describes successes too.
  [['default'], '2XX', '4XX+5XX', true],
  [['404', 'default'], '', '404 4XX+5XX-404', false],
  [['400', '5XX'], '', '400 5XX', false],
  [['1XX', '400'], '1XX', '400', false],
  [[], '', '', false],
])('of %j, a call returns %j and rejects with %j', (statuses, successes, failures, isReturned) => {
  const operation = operationWith(statuses);
  expect(successesOf(operation).map(show).join(' ')).toBe(successes);
  expect(failuresOf(operation).map(show).join(' ')).toBe(failures);
  expect(hasSuccess(operation)).toBe(isReturned);
});
