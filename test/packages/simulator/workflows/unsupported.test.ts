import { describe, expect, it } from 'vitest';
import type { Json } from 'countersign/kit';
import { findUnsupported } from '../../../../packages/simulator/src/workflows/unsupported.ts';
import { workflow } from './world.ts';

type Members = { readonly [member: string]: Json };

const find = (members: Members, source: Members = {}) =>
  findUnsupported(
    workflow(
      'one',
      [
        { stepId: 'first', call: 'ask' },
        { stepId: 'step', call: 'ask', ...members },
        { stepId: 'last', call: 'ask' },
      ],
      source,
    ),
    [{ name: 'lent', examples: [{ value: { a: 1, b: { id: 1 }, c: { id: 1 } } }] }],
  ).map(({ step = '', path, message }) => ({ at: [step, ...path].join('/'), message }));

const xpath = { type: 'xpath', context: '$response.body', condition: '/a' };
const goessner = { type: 'jsonpath', version: 'draft-goessner-dispatch-jsonpath-00' };

describe('a feature that the runner does not support', () => {
  it.each<[string, Members, string, string]>([
    ['XPath', { successCriteria: [xpath] }, 'step/successCriteria/0/type', '"xpath"'],
    [
      'old JSONPath',
      { successCriteria: [{ ...xpath, type: goessner }] },
      'step/successCriteria/0/type',
      'draft-goessner',
    ],
    [
      'a condition',
      { successCriteria: [{ condition: '$statusCode ~ 2' }] },
      'step/successCriteria/0/condition',
      'not a condition',
    ],
    [
      'a regular expression',
      { successCriteria: [{ type: 'regex', context: '$statusCode', condition: '(' }] },
      'step/successCriteria/0/condition',
      'Invalid regular expression',
    ],
    [
      'a JSONPath',
      { successCriteria: [{ type: 'jsonpath', context: '$response.body', condition: '$[' }] },
      'step/successCriteria/0/condition',
      'not a JSONPath',
    ],
    [
      'a pattern that is a value',
      {
        outputs: {
          a: { context: '$response.body', selector: '$[?match(@.a, @.b)]', type: 'jsonpath' },
        },
      },
      'step/outputs/a/selector',
      'takes the pattern of `match` from a value',
    ],
    [
      'a wrong expression in a JSONPath',
      {
        outputs: { a: { context: '$response.body', selector: '$[{$no}]', type: 'jsonpath' } },
      },
      'step/outputs/a/selector',
      '"$no"',
    ],
    [
      'a condition without context',
      { successCriteria: [{ type: 'regex', condition: 'a' }] },
      'step/successCriteria/0',
      'needs a context',
    ],
    [
      'a wrong context',
      { successCriteria: [{ type: 'regex', context: '$what', condition: '{$nothing}' }] },
      'step/successCriteria/0/condition',
      '"$nothing"',
    ],
    [
      'a criterion of an action',
      { onFailure: [{ name: 'a', type: 'end', criteria: [xpath] }] },
      'step/onFailure/0/criteria/0/type',
      '"xpath"',
    ],
    [
      'a step that does not exist',
      { onSuccess: [{ name: 'a', type: 'goto', stepId: 'none' }] },
      'step/onSuccess/0/stepId',
      '"none"',
    ],
    [
      'an action that does not exist',
      { onSuccess: [{ reference: '$components.successActions.none' }] },
      'step/onSuccess/0',
      'not an action',
    ],
    [
      'a parameter that does not exist',
      { parameters: [{ reference: '$components.parameters.none' }] },
      'step/parameters/0',
      'not a parameter',
    ],
    [
      'a query string',
      { parameters: [{ name: 'q', in: 'querystring', value: 'a=b' }] },
      'step/parameters/0/in',
      'querystring',
    ],
    [
      'a replacement by XPath',
      { requestBody: { replacements: [{ target: '/a', targetSelectorType: 'xpath', value: 1 }] } },
      'step/requestBody/replacements/0/target',
      '"/a"',
    ],
    [
      'a replacement by a JSONPath that is not valid',
      {
        requestBody: { replacements: [{ target: '$[', targetSelectorType: 'jsonpath', value: 1 }] },
      },
      'step/requestBody/replacements/0/target',
      '"$["',
    ],
    [
      'a selector',
      { outputs: { a: { context: '$response.body', selector: '/a', type: 'xpath' } } },
      'step/outputs/a/type',
      'selectors',
    ],
    ['an expression', { outputs: { a: '$response.cookie.x' } }, 'step/outputs/a', 'cookie'],
    [
      'an embedded expression',
      { requestBody: { payload: { list: ['{$self}'] } } },
      'step/requestBody/payload/list/0',
      '$self',
    ],
    [
      'a step of another workflow',
      { dependsOn: ['$workflows.two.steps.a'] },
      'step/dependsOn/0',
      'not a step of the same workflow',
    ],
    ['a later step', { dependsOn: ['last'] }, 'step', '"last"'],
    ['the outputs of a later step', { correlationId: '$steps.last.outputs.a' }, 'step', '"last"'],
  ])('is %s', (_, members, at, says) => {
    expect(find(members)).toEqual([{ at, message: expect.stringContaining(says) }]);
  });

  it('is a message without a place for the correlation id, or without a notification', () => {
    const step = { stepId: 'get', receive: 'lent', correlationId: '$inputs.id' };
    const receive = workflow('one', [step]);
    const kinds = [{ name: 'lent', examples: [{ value: { b: { id: 1 }, c: { id: 1 } } }] }];
    expect(findUnsupported(receive, kinds)).toMatchObject([{ path: ['correlationId'] }]);
    const none = workflow('one', [{ stepId: 'get', receive: [] }]);
    expect(findUnsupported(none, kinds)).toMatchObject([
      { step: 'get', message: 'The step "get" names nothing that the simulator can deliver.' },
    ]);
  });

  it('is found in the workflow as well', () => {
    expect(find({}, { outputs: { a: '$what.is' }, failureActions: [{ reference: 'x' }] })).toEqual([
      { at: '/failureActions/0', message: expect.any(String) },
    ]);
    expect(find({}, { outputs: { a: '$steps.first' } })).toMatchObject([{ at: '/outputs/a' }]);
  });
});
