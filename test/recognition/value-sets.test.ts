import { describe, expect, test } from 'vitest';
import { lowerFiles } from '../contract/lower/lower-files.ts';

/** Returns the conditions of each webhook, and the webhooks that one delivery can be as well. */
async function identify(
  webhooks: Readonly<Record<string, object>>,
  method: Readonly<Record<string, string>> = {},
): Promise<readonly (readonly [string, string, readonly string[]])[]> {
  const operations = Object.entries(webhooks).map(
    ([name, { headers = {}, declared, ...payload }]: [
      string,
      { headers?: object; declared?: object },
    ]) => [
      name,
      {
        [method[name] ?? 'post']: {
          ...(declared === undefined ? {} : { 'x-identified-by': declared }),
          parameters: Object.entries(headers).map(([header, schema]) => ({
            name: header,
            in: 'header',
            schema,
          })),
          requestBody: { content: { 'application/json': { schema: payload } } },
          responses: { 200: { description: 'ok' } },
        },
      },
    ],
  );
  const { contract } = await lowerFiles({
    'openapi.yaml': JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'Hooks', version: '1.0.0' },
      webhooks: Object.fromEntries(operations),
    }),
  });
  return contract.notifications.map(({ id, identifiedBy, ambiguousWith }) => [
    id,
    identifiedBy
      .map((conditions) =>
        conditions
          .map(
            ({ expression, schema, optional = false }) =>
              `${expression.replace('$request.', '')}${optional ? '?' : ''} ${JSON.stringify(schema)}`,
          )
          .join(', '),
      )
      .join(' | '),
    ambiguousWith,
  ]);
}

const event = (value: unknown, more: object = {}): object => ({
  type: 'object',
  properties: { event: Array.isArray(value) ? { enum: value } : { const: value } },
  ...more,
});

describe('a value that no two candidates share decides', () => {
  test('wherever it is present, also where it is not required', async () => {
    expect(await identify({ beat: event('beat'), status: event('status') })).toEqual([
      ['beat', 'body#/event? {"const":"beat"}', ['status']],
      ['status', 'body#/event? {"const":"status"}', ['beat']],
    ]);
  });

  test('as one of several values', async () => {
    expect(
      await identify({ a: event(['x', 'y']), b: event('z', { required: ['event'] }) }),
    ).toEqual([
      ['a', 'body#/event? {"enum":["x","y"]}', []],
      ['b', 'body#/event {"const":"z"}', []],
    ]);
  });

  test('among those that list values, beside one that lists none', async () => {
    const identifications = await identify({
      a: event('a'),
      b: event('b'),
      any: { type: 'object' },
    });
    expect(identifications.map(([, conditions]) => conditions)).toEqual([
      'body#/event? {"const":"a"}',
      'body#/event? {"const":"b"}',
      '',
    ]);
  });

  test('in a header', async () => {
    const header = (value: string): object => ({ headers: { 'X-Event': { const: value } } });
    expect(
      (await identify({ a: header('a'), b: header('b') })).map(([, conditions]) => conditions),
    ).toEqual(['header.X-Event? {"const":"a"}', 'header.X-Event? {"const":"b"}']);
  });

  test('in a member of a member', async () => {
    const inner = (value: string): object => ({ properties: { data: event(value) } });
    expect(
      (await identify({ a: inner('a'), b: inner('b') })).map(([, conditions]) => conditions),
    ).toEqual(['body#/data/event? {"const":"a"}', 'body#/data/event? {"const":"b"}']);
  });

  test('as the method, which OpenAPI states', async () => {
    const identifications = await identify(
      { a: { type: 'object' }, b: { type: 'object' } },
      { b: 'put' },
    );
    expect(identifications).toEqual([
      ['a', '$method {"const":"POST"}', []],
      ['b', '$method {"const":"PUT"}', []],
    ]);
  });
});

test('the method decides beside declared conditions, too', async () => {
  const identifications = await identify(
    { a: { declared: { '$request.body#/a': { const: 1 } } }, b: { type: 'object' } },
    { b: 'put' },
  );
  expect(identifications).toEqual([
    ['a', 'body#/a {"const":1}, $method {"const":"POST"}', []],
    ['b', '$method {"const":"PUT"}', []],
  ]);
});

describe('no value decides', () => {
  test.each([
    ['that two candidates share in different lists', event(['a', 'b']), event(['b', 'c'])],
    ['that all candidates list alike', event(['a', 'b']), event(['a', 'b'])],
    ['that only one candidate lists', event('a'), { type: 'object' }],
    ['in a list of many', event(Array.from({ length: 60 }, (_, index) => `a${index}`)), event('b')],
    ['in an example', { properties: { event: { type: 'string', examples: ['a'] } } }, event('b')],
  ])('%s', async (_what, a, b) => {
    expect((await identify({ a, b })).map(([, conditions]) => conditions)).toEqual(['', '']);
  });

  test('in one webhook alone', async () => {
    expect(await identify({ a: event(['a', 'b'], { required: ['event'] }) })).toEqual([
      ['a', '', []],
    ]);
  });
});
