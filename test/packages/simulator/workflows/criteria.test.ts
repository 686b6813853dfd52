import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../../../packages/simulator/src/workflows/condition.ts';
import { findUnmet } from '../../../../packages/simulator/src/workflows/criteria.ts';
import type { Scope } from '../../../../packages/simulator/src/workflows/scope.ts';

const body = {
  count: 3,
  text: 'Done',
  five: '5',
  none: null,
  list: [{ id: 1 }, { id: 2 }],
  empty: [],
};

const scope: Scope = {
  inputs: { wanted: 2, pattern: 'do.e' },
  exchange: { statusCode: 200, parts: { response: { header: {}, body } } },
  stepOutputs: () => undefined,
  workflow: () => undefined,
};

const isMet = (criterion: object): boolean =>
  findUnmet([JSON.parse(JSON.stringify(criterion))], scope) === undefined;

describe('a simple condition', () => {
  it.each([
    ['$statusCode == 200', true],
    ['$statusCode==200&&true', true],
    ['$statusCode != 200', false],
    ['$statusCode >= 200 && $statusCode < 300', true],
    ['$statusCode <= 199 || $statusCode > 300', false],
    ['true || false && false', true],
    ['(true || false) && false', false],
    ['!($response.body.count == 3)', false],
    ['!!$response.body.count', true],
    ["$response.body#/text == 'dONE'", true],
    ["$response.body.text != 'it''s'", true],
    ['$response.body.five == 5', true],
    ['$response.body.five > 4.5e0', true],
    ['$response.body.text > 1', false],
    ['$response.body.none == null', true],
    ['$response.body.missing == null', true],
    ['$response.body.count != null', true],
    ['$response.body.none < 1', false],
    ['$response.body.none', false],
    ['$response.body.list[1].id == $inputs.wanted', true],
    ['$response.body.empty == $response.body.empty', true],
    ['$response.body.empty == $response.body.list', false],
    ["'a' < 'B'", true],
    ['-1 < 0', true],
  ])('%s is %s', (condition, expected) => {
    expect(isMet({ condition })).toBe(expected);
  });

  it.each([
    '',
    '==',
    '$statusCode ==',
    '$statusCode = 200',
    '(true',
    'true)',
    'true false',
    "'open",
    'word == 1',
    '$nothing == 1',
    '1 < 2 < 3',
    `${'('.repeat(5000)}true${')'.repeat(5000)}`,
    `${'!'.repeat(5000)}true`,
  ])('%s is refused', (condition) => {
    expect(() => parseCondition(condition)).toThrow(
      expect.objectContaining({ code: 'unsupported-workflow' }),
    );
    expect(isMet({ condition })).toBe(false);
  });
});

describe('a condition with a context', () => {
  it.each([
    [{ type: 'regex', context: '$statusCode', condition: '^2\\d{2}$' }, true],
    [{ type: 'regex', context: '$response.body.text', condition: '^Do' }, true],
    [{ type: 'regex', context: '$response.body.text', condition: '{$inputs.pattern}' }, false],
    [{ type: 'regex', context: '$response.body.none', condition: '.*' }, false],
    [{ type: 'regex', context: '$response.body.text', condition: '(' }, false],
    [{ type: 'jsonpath', context: '$response.body', condition: '$.list[*]' }, true],
    [{ type: 'jsonpath', context: '$response.body', condition: '$.empty[*]' }, false],
    [
      {
        type: 'jsonpath',
        context: '$response.body.list',
        condition: '$[?@.id == {$inputs.wanted}]',
      },
      true,
    ],
    [
      {
        type: { type: 'jsonpath', version: 'rfc9535' },
        context: '$response.body',
        condition: '$.list[?@.id > 2]',
      },
      false,
    ],
    [{ type: 'jsonpath', context: '$response.body', condition: '$[' }, false],
    [{ type: 'xpath', context: '$response.body', condition: '/a' }, false],
  ])('%j is %s', (criterion, expected) => {
    expect(isMet(criterion)).toBe(expected);
  });

  it('states why it cannot be evaluated', () => {
    const criteria = [{ type: 'xpath', context: '$response.body', condition: '/a' }];
    expect(findUnmet(criteria, scope)).toEqual({
      condition: '/a',
      error: 'The simulator does not support conditions of the type "xpath".',
    });
  });
});
