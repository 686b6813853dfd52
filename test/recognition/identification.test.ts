import { describe, expect, it } from 'vitest';
import type { Conditions } from '../../generator/schema/model.ts';
import type { Json } from '../../generator/json/json.ts';
import { lowerFiles } from '../contract/lower/lower-files.ts';

type Schemas = Readonly<Record<string, Json>>;

interface Webhook {
  readonly payload: Json;
  /** Header parameters by name. */
  readonly headers?: Schemas;
  readonly more?: object;
}

const required = (properties: Schemas, more: object = {}): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...more,
});
const text = { type: 'string' } as const;

/** What identifies each webhook, an expression and its schema a line. */
async function identify(
  webhooks: Readonly<Record<string, Webhook>>,
  schemas: Schemas = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  const operations = Object.entries(webhooks).map(([name, { payload, headers = {}, more }]) => [
    name,
    {
      post: {
        parameters: Object.entries(headers).map(([header, schema]) => ({
          name: header,
          in: 'header',
          required: true,
          schema,
        })),
        requestBody: { content: { 'application/json': { schema: payload } } },
        responses: { 200: { description: 'ok' } },
        ...more,
      },
    },
  ]);
  const { contract } = await lowerFiles({
    'openapi.yaml': JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'Hooks', version: '1.0.0' },
      webhooks: Object.fromEntries(operations),
      components: { schemas },
    }),
  });
  return Object.fromEntries(
    contract.notifications.map(({ id, identifiedBy }) => [id, identifiedBy.map(toText)]),
  );
}

function toText(conditions: Conditions): string {
  return conditions
    .map(
      ({ expression, schema }) =>
        `${expression.replace('$request.', '')} ${JSON.stringify(schema)}`,
    )
    .join(', ');
}

describe('what identifies a notification by itself', () => {
  it.each<readonly [string, Json, Schemas, readonly string[]]>([
    ['a required constant', required({ kind: { const: 'a' } }), {}, ['body#/kind {"const":"a"}']],
    [
      'a required enumeration of one',
      required({ kind: { enum: [7] } }),
      {},
      ['body#/kind {"const":7}'],
    ],
    ['no constant that may be absent', { properties: { kind: { const: 'a' } } }, {}, []],
    ['no enumeration of several', required({ kind: { enum: ['a', 'b'] } }), {}, []],
    ['no constant that is not a single value', required({ kind: { const: { a: 1 } } }), {}, []],
    [
      'constants inside required members, the nearest first',
      required({ data: required({ 'a/b': { const: 1 } }), kind: { const: 'a' } }),
      {},
      ['body#/kind {"const":"a"}, body#/data/a~1b {"const":1}'],
    ],
    [
      'what a part of the composition has and another requires',
      {
        allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { kind: { const: 'a' } } }],
      },
      { Base: required({ kind: text }) },
      ['body#/kind {"const":"a"}'],
    ],
    [
      'a constant that every alternative has',
      { oneOf: [required({ kind: { const: 'a' }, x: text }), required({ kind: { const: 'a' } })] },
      {},
      ['body#/kind {"const":"a"}'],
    ],
    [
      'the constants of all alternatives, where what is around them requires the member',
      required(
        { kind: text },
        {
          anyOf: [
            { properties: { kind: { const: 'a' } } },
            { properties: { kind: { const: 'b' } } },
          ],
        },
      ),
      {},
      ['body#/kind {"enum":["a","b"]}'],
    ],
    [
      'no constant that one alternative lacks',
      { oneOf: [required({ kind: { const: 'a' } }), required({ id: text })] },
      {},
      [],
    ],
  ])('is %s', async (_, payload, schemas, expected) => {
    expect((await identify({ one: { payload } }, schemas))['one']).toEqual(expected);
  });

  it('is a required constant header, as text', async () => {
    const headers = { 'X-Version': { const: 2 }, 'X-Any': text };
    expect(await identify({ one: { payload: {}, headers } })).toEqual({
      one: ['header.X-Version {"const":"2"}'],
    });
  });

  it('is a required constant header of an AsyncAPI message as well', async () => {
    const { contract } = await lowerFiles({
      'asyncapi.yaml': `
asyncapi: 3.0.0
info: { title: Hooks, version: 1.0.0 }
channels:
  one:
    messages:
      hello:
        headers: { type: object, required: [X-Event], properties: { X-Event: { const: hello } } }
        payload: { type: object }
operations: { greet: { action: send, channel: { $ref: '#/channels/one' } } }
`,
    });
    expect(contract.notifications.map(({ identifiedBy }) => identifiedBy)).toEqual([
      [[{ expression: '$request.header.X-Event', schema: { const: 'hello' } }]],
    ]);
  });

  it('is found in bounded time in alternatives that multiply', async () => {
    const references = Array.from({ length: 40 }, () => ({ $ref: '#/components/schemas/Tree' }));
    const Tree = required({
      kind: { const: 'a' },
      left: { oneOf: references },
      right: { anyOf: references },
    });
    const identification = await identify(
      { one: { payload: { $ref: '#/components/schemas/Tree' } } },
      { Tree },
    );
    expect(identification['one']?.[0]).toMatch(/^body#\/kind \{"const":"a"\}/);
  });
});

describe('what identifies a notification among others', () => {
  const issue = (action: Json, more: Schemas = {}): Webhook => ({
    payload: required({ action, ...more }),
    headers: { 'X-Event': { const: 'issue' } },
  });

  it('is what tells any of them apart, and nothing that is only true of it', async () => {
    const identification = await identify({
      locked: issue({ const: 'locked' }, { issue: required({ locked: { const: true } }) }),
      unlocked: issue({ const: 'unlocked' }, { issue: required({ locked: { const: false } }) }),
      star: {
        payload: required({ action: { const: 'created' } }),
        headers: { 'x-event': { const: 'star' } },
      },
      push: { payload: {}, headers: { 'X-Event': { const: 'push' } } },
    });
    expect(identification).toEqual({
      locked: ['header.X-Event {"const":"issue"}, body#/action {"const":"locked"}'],
      unlocked: ['header.X-Event {"const":"issue"}, body#/action {"const":"unlocked"}'],
      star: ['header.x-event {"const":"star"}, body#/action {"const":"created"}'],
      push: ['header.X-Event {"const":"push"}'],
    });
  });

  it('is all that there is where nothing distinguishes them', async () => {
    const identification = await identify({
      one: { payload: required({ a: { const: 1 } }) },
      two: { payload: required({ b: { const: 2 } }) },
    });
    expect(identification).toEqual({ one: ['body#/a {"const":1}'], two: ['body#/b {"const":2}'] });
  });

  it('stays as it was declared', async () => {
    const declared = {
      'x-identified-by': { '$request.body#/b': { const: 1 }, '$request.body#/a': {} },
    };
    const identification = await identify({
      one: { payload: required({ a: { const: 1 }, b: text }), more: declared },
      two: { payload: required({ a: { const: 2 }, b: { const: 2 } }) },
    });
    expect(identification).toEqual({
      one: ['body#/b {"const":1}, body#/a {}'],
      two: ['body#/b {"const":2}'],
    });
  });
});
