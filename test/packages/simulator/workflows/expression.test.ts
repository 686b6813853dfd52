import { describe, expect, it } from 'vitest';
import { parseExpression } from '../../../../packages/simulator/src/workflows/expression.ts';
import { evaluate, type Scope } from '../../../../packages/simulator/src/workflows/scope.ts';
import { resolveValue } from '../../../../packages/simulator/src/workflows/resolve-value.ts';
import { TimeLimit } from '../../../../packages/simulator/src/workflows/time-limit.ts';

const scope: Scope = {
  inputs: { name: 'Emma', 'a.b': 1, deep: { list: [{ id: 7 }] } },
  outputs: { total: 3 },
  exchange: {
    url: 'http://127.0.0.1/books',
    method: 'POST',
    statusCode: 201,
    parts: {
      request: {
        header: { accept: 'text/plain' },
        query: { 'page-size': 5 },
        path: { id: 'b1' },
        body: { 'a/b': [1, 2], '': 'empty' },
      },
      response: { header: { 'x-total': '12' }, body: { items: [{ id: 'x' }], none: null } },
      message: { header: {}, body: 'text' },
    },
  },
  limit: new TimeLimit(),
  stepOutputs: (id) => (id === 'login-1' ? { token: 't', user: { id: 4 } } : undefined),
  workflow: (id) => (id === 'other' ? { inputs: { q: 1 }, outputs: { r: [8, 9] } } : undefined),
};

describe('a runtime expression', () => {
  it.each([
    ['$url', 'http://127.0.0.1/books'],
    ['$method', 'POST'],
    ['$statusCode', 201],
    ['$request.header.Accept', 'text/plain'],
    ['$request.query.page-size', 5],
    ['$request.path.id', 'b1'],
    ['$request.body#/a~1b/1', 2],
    ['$request.body#/', 'empty'],
    ['$response.header.X-Total', '12'],
    ['$response.body#/items/0/id', 'x'],
    ['$response.body.items[0].id', 'x'],
    ['$response.body#/none', null],
    ['$response.body#/items/01', undefined],
    ['$response.body#/__proto__', undefined],
    ['$message.payload', 'text'],
    ['$inputs.name', 'Emma'],
    ['$inputs.a.b', 1],
    ['$inputs.deep.list[0].id', 7],
    ['$inputs.deep#/list/0', { id: 7 }],
    ['$inputs.constructor', undefined],
    ['$outputs.total', 3],
    ['$steps.login-1.outputs.token', 't'],
    ['$steps.login-1.outputs.user#/id', 4],
    ['$steps.none.outputs.token', undefined],
    ['$workflows.other.outputs.r#/1', 9],
    ['$workflows.other.inputs.q', 1],
  ])('%s is %j', (text, expected) => {
    expect(evaluate(parseExpression(text), scope)).toEqual(expected);
  });

  it.each([
    '$',
    'name',
    '$nothing',
    '$urls',
    '$request',
    '$request.cookie.a',
    '$response.bodyless',
    '$response.body#a',
    '$response.body#/~2',
    '$steps.login.token',
    '$inputs',
    '$self',
    '$components.parameters.a',
    '$sourceDescriptions.api.url',
  ])('%s is refused', (text) => {
    expect(() => parseExpression(text)).toThrow(
      expect.objectContaining({ code: 'unsupported-workflow' }),
    );
  });
});

describe('a value', () => {
  it.each([
    ['an expression keeps its type', '$inputs.deep#/list/0/id', 7],
    ['text with expressions', 'a {$inputs.name}/{$inputs.deep#/list}', 'a Emma/[{"id":7}]'],
    ['text with an unknown expression', 'a {$inputs.none}', undefined],
    ['text with a dollar', '$5 and {x}', '$5 and {x}'],
    [
      'an object, without unknown members',
      { a: ['$inputs.name'], b: '$inputs.none' },
      { a: ['Emma'] },
    ],
    [
      'a selector',
      { a: { context: '$response.body', selector: '$.items[*].id', type: 'jsonpath' } },
      { a: 'x' },
    ],
    [
      'a selector with a type object',
      {
        context: '$response.body',
        selector: '/items/0',
        type: { type: 'jsonpointer', version: 'rfc6901' },
      },
      { id: 'x' },
    ],
  ])('%s', (_, value, expected) => {
    expect(resolveValue(value, scope)).toEqual(expected);
  });
});
