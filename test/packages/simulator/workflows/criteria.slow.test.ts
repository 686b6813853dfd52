import { describe, expect, it } from 'vitest';
import type { Json } from 'countersign/kit';
import { parseCondition } from '../../../../packages/simulator/src/workflows/condition.ts';
import { findUnmet } from '../../../../packages/simulator/src/workflows/criteria.ts';
import type { Scope } from '../../../../packages/simulator/src/workflows/scope.ts';
import { TimeLimit } from '../../../../packages/simulator/src/workflows/time-limit.ts';

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
  limit: new TimeLimit(),
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

/** A text on which the patterns below try every way to split it. */
const slow = `${'a'.repeat(40)}!`;

function criterionWith(values: { readonly [name: string]: Json }) {
  const limit = new TimeLimit();
  return (criterion: { readonly [member: string]: Json }) =>
    findUnmet([criterion], {
      ...scope,
      limit,
      exchange: { parts: { request: { header: {}, body: values } } },
    });
}

describe('a pattern or JSONPath that takes exponential time', () => {
  it.each([
    { type: 'regex', context: '$request.body#/text', condition: '^(a+)+$' },
    { type: 'jsonpath', context: '$request.body', condition: '$..[?search(@, "(a+)+$")]' },
    { type: 'jsonpath', context: '$request.body', condition: "$..[?match(@, '(a+)+')]" },
  ])('is stopped, and is not evaluated again: $condition', (criterion) => {
    const evaluate = criterionWith({ text: slow });
    const unmet = { condition: criterion.condition, error: expect.stringContaining('too long') };
    for (let count = 0; count < 100; count += 1) expect(evaluate(criterion)).toEqual(unmet);
  });

  it('leaves other criteria as they are', () => {
    const evaluate = criterionWith({ text: slow });
    evaluate({ type: 'regex', context: '$request.body#/text', condition: '^(a+)+$' });
    const other = { type: 'regex', context: '$request.body#/text', condition: '^a+!$' };
    expect(evaluate(other)).toBeUndefined();
  });
});

describe('a value of a caller', () => {
  const hostile = [
    '(a+)+',
    '.*',
    "' || true || '",
    '" || true || "',
    "') || search(@, '(a+)+$')]",
    '\\\\',
    "a\\\\'",
    '\u0000\n\u{1F600}-]^',
    '\u{E000}\u{E001}',
    '3}',
  ];

  it.each(hostile)('matches itself alone in a pattern: %j', (value) => {
    const condition = '^{$request.body#/value}$';
    const isMatched = (text: string): boolean =>
      criterionWith({ value, text })({
        type: 'regex',
        context: '$request.body#/text',
        condition,
      }) === undefined;
    expect(isMatched(value)).toBe(true);
    expect(isMatched(slow)).toBe(false);
  });

  it.each(
    hostile.flatMap((value) =>
      [
        "$.list[?@.text == '{$request.body#/value}']",
        '$.list[?@.text == "{$request.body#/value}"]',
        "$.list[?match(@.text, '{$request.body#/value}')]",
        "$.list[?search(@.text, '^{$request.body#/value}$')]",
      ].map((condition) => ({ value, condition })),
    ),
  )('is that text alone in $condition: $value', ({ value, condition }) => {
    const isSelected = (text: string): boolean =>
      criterionWith({ value, list: [{ text }] })({
        type: 'jsonpath',
        context: '$request.body',
        condition,
      }) === undefined;
    expect(isSelected(value)).toBe(true);
    expect(isSelected(slow)).toBe(false);
  });

  it.each(hostile)('has no effect outside of the texts of a JSONPath: %j', (value) => {
    const criterion = { type: 'jsonpath', context: '$request.body' };
    for (const condition of ['$.list[{$request.body#/value}]', '$.list[?{$request.body#/value}]'])
      expect(criterionWith({ value, list: [1] })({ ...criterion, condition })).toBeDefined();
  });

  it.each([
    ['$.list[{$request.body#/index}]', true],
    ['$.{$request.body#/name}[0]', true],
    ['$.list[?@ == {$request.body#/index}]', true],
    ['$.list[{$request.body#/missing}]', false],
  ])('can be an index, a name or a number: %s', (condition, expected) => {
    const unmet = criterionWith({ index: 0, name: 'list', list: [0] })({
      type: 'jsonpath',
      context: '$request.body',
      condition,
    });
    expect(unmet === undefined).toBe(expected);
  });

  it('is never a pattern by a JSONPath', () => {
    const condition = '$.list[?search(@.text, @.pattern)]';
    const values = { list: [{ text: slow, pattern: '(a+)+$' }] };
    expect(
      criterionWith(values)({ type: 'jsonpath', context: '$request.body', condition }),
    ).toMatchObject({ error: expect.stringContaining('from a value') });
  });
});
