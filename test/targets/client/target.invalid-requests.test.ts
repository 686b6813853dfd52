import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { part } from '../../../packages/runtime/client/client.ts';
import type { ClientEvent, Input } from '../../../packages/runtime/client/description.ts';
import { type ClientModule, importModule } from '../../packages/runtime/client/generated-client.ts';
import { randomSchema } from '../../packages/diff/schemas/random-schemas.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

const responses = { 204: { description: 'Done.' } };
const text = { type: 'string' };
const integer = { type: 'integer', minimum: 1, maximum: 100 };
const file = { type: 'string', format: 'binary' };

const payment = {
  type: 'object',
  required: ['amount', 'createdAt'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', readOnly: true },
    amount: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 },
    createdAt: { type: 'string', format: 'date-time', readOnly: true },
    due: { type: 'string', format: 'date-time' },
    currency: { type: 'string', enum: ['BRL', 'EUR'] },
    reference: { type: 'integer', maximum: 1e20 },
    note: { type: ['string', 'null'], maxLength: 5 },
    tags: { type: 'object', additionalProperties: { type: 'string', maxLength: 3 } },
  },
};

const parameter = (name: string, place: string, schema: object, more: object = {}): object => ({
  name,
  in: place,
  schema,
  ...(place === 'path' ? { required: true } : {}),
  ...more,
});

const listParameters = [
  parameter('id', 'path', { type: 'string', pattern: '^[a-z]\\w*$' }),
  parameter('limit', 'query', integer),
  parameter('exact', 'query', { type: 'boolean' }),
  parameter('q', 'query', text),
  parameter('since', 'query', { type: 'string', format: 'date-time' }),
  parameter('state', 'query', { $ref: '#/components/schemas/State' }),
  parameter('states', 'query', { type: 'array', items: { $ref: '#/components/schemas/State' } }),
  parameter('numbers', 'query', { type: 'array', items: integer, maxItems: 2 }),
  parameter(
    'filter',
    'query',
    {
      type: 'object',
      properties: { code: text, size: integer },
      required: ['size'],
      additionalProperties: false,
    },
    { style: 'deepObject', explode: true },
  ),
  {
    name: 'where',
    in: 'query',
    content: { 'application/json': { schema: { type: 'object', properties: { a: integer } } } },
  },
  parameter('X-Size', 'header', integer),
  parameter('session', 'cookie', { type: 'string', minLength: 3 }),
];

const bodyOf = (mediaType: string, schema: object): object => ({
  required: true,
  content: { [mediaType]: { schema } },
});

const post = (operationId: string, mediaType: string, schema: object): object => ({
  post: { operationId, requestBody: bodyOf(mediaType, schema), responses },
});

const form = {
  type: 'object',
  required: ['amount'],
  properties: {
    amount: integer,
    code: { type: 'string', maxLength: 3 },
    exact: { type: 'boolean' },
    ids: { type: 'array', items: integer },
    note: { type: ['string', 'null'] },
  },
};

/** Schemas of random bodies. */
const schemas = fc.sample(randomSchema, { numRuns: 40, seed: 7 });

const scalars: readonly unknown[] = ['x', 'y', 'zz', 1, 2, -4, 1.5, 5n, true, null, undefined];
const scalar = fc.constantFrom(...scalars, new Date(0));
const member = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
const value = fc.oneof(
  { weight: 1, arbitrary: member },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), member), fc.nat({ max: 9 }))
      .map(([members, kind]) => (kind === 0 ? { toJSON: () => members } : members)),
  },
);

function randomPaths(): readonly (readonly [string, object])[] {
  return schemas.map(({ definition }, index) => [
    `/random/${index}`,
    post(`random${index}`, 'application/json', renamed(definition, index)),
  ]);
}

function renamed(schema: object, index: number): object {
  const text = JSON.stringify(schema).replaceAll('#/$defs/', `#/components/schemas/Random${index}`);
  return JSON.parse(text) as object;
}

const document = {
  openapi: '3.1.1',
  info: { title: 'Payments', version: '1.0.0' },
  servers: [{ url: 'https://api.example' }],
  paths: {
    ...Object.fromEntries(randomPaths()),
    '/payments': post('createPayment', 'application/json', {
      $ref: '#/components/schemas/Payment',
    }),
    '/accounts/{id}': { get: { operationId: 'list', parameters: listParameters, responses } },
    '/forms': post('sendForm', 'application/x-www-form-urlencoded', form),
    '/uploads': post('upload', 'multipart/form-data', {
      ...form,
      properties: {
        ...form.properties,
        photo: file,
        pages: { type: 'array', items: file, maxItems: 2, uniqueItems: true },
        either: { anyOf: [file, { ...integer, enum: [7] }] },
      },
    }),
    '/states': post('setState', 'text/plain', { $ref: '#/components/schemas/State' }),
    '/any': post('sendAny', '*/*', { $ref: '#/components/schemas/Small' }),
    '/bytes': post('sendBytes', 'application/octet-stream', file),
    '/xml': post('sendXml', 'application/xml', { $ref: '#/components/schemas/Small' }),
    '/several': {
      post: {
        operationId: 'several',
        requestBody: {
          content: {
            'application/json': { schema: { type: 'integer' } },
            'application/vnd.other+json': { schema: { type: 'boolean' } },
            'text/plain': {},
          },
        },
        responses,
      },
    },
    '/ids': {
      post: {
        operationId: 'traced',
        parameters: [
          parameter('x-request-id', 'header', { type: 'string', format: 'uuid' }),
          parameter('q', 'query', text),
        ],
        responses,
      },
    },
    '/generated': {
      post: {
        operationId: 'generated',
        parameters: [
          parameter(
            'X-Trace-Id',
            'header',
            { type: 'string', format: 'uuid' },
            { 'x-every-request': { value: 'uuid', retry: 'keep' } },
          ),
          parameter(
            'X-Sent-At',
            'header',
            { type: 'string', format: 'date-time' },
            { 'x-every-request': { value: 'timestamp' } },
          ),
        ],
        responses,
      },
    },
  },
  components: {
    schemas: {
      ...Object.fromEntries(
        schemas.flatMap(({ schemas: named }, index) =>
          Object.entries(named).map(([name, schema]) => [`Random${index}${name}`, schema]),
        ),
      ),
      Payment: payment,
      State: { type: 'string', enum: ['open', 'closed'] },
      Small: { type: 'object', required: ['a'], properties: { a: integer } },
    },
  },
};

let generated: GeneratedClient;
let checked: ClientModule;
let unchecked: ClientModule;

beforeAll(async () => {
  generated = await generateClient(await readOpenapi(document));
  checked = await importModule(generated.client);
  unchecked = await importModule(generated.client, 'unchecked');
});
afterAll(() => generated[Symbol.asyncDispose]());

interface Result {
  readonly code?: string;
  readonly message?: string;
  readonly violations?: readonly { readonly pointer: string; readonly keyword: string }[];
  /** The number of requests that the service got. */
  readonly requests: number;
  readonly events: readonly ClientEvent[];
}

/** Calls an operation of a service that counts requests. */
async function call(
  name: string,
  input: Input,
  options: object = {},
  ofCall: object = {},
  module = checked,
): Promise<Result> {
  let requests = 0;
  const events: ClientEvent[] = [];
  const client = module.createClient({
    onEvent: (event: ClientEvent) => events.push(event),
    retry: { attempts: 3, firstDelayMs: 0 },
    ...options,
    fetch: async () => {
      requests += 1;
      return new Response(undefined, { status: 204 });
    },
  });
  try {
    await client[name]?.(input, ofCall);
    return { requests, events };
  } catch (error) {
    const { code, message, cause } = error as Error & { code: string };
    const { violations = [] } = (cause ?? {}) as Pick<Result, 'violations'>;
    return { requests, events, code, message, violations };
  }
}

/** Returns the places that a call is refused for; none if it was sent. */
async function refusal(...parameters: Parameters<typeof call>): Promise<readonly string[]> {
  const { code, violations = [], requests } = await call(...parameters);
  expect(requests).toBe(code === undefined ? 1 : 0);
  return code === undefined || code === 'invalid-request'
    ? violations.map(({ pointer, keyword }) => `${pointer} ${keyword}`)
    : [code];
}

const valid = { amount: 1.5 };

describe('a body of JSON', () => {
  test('an amount that is a text never leaves the process', async () => {
    const { code, message, requests, events } = await call('createPayment', {
      body: { amount: 'secret' },
    });
    expect({ code, requests }).toEqual({ code: 'invalid-request', requests: 0 });
    expect(message).toBe(
      "createPayment: /body/amount must be of type number. Nothing was sent. If the service accepts it all the same, set invalidRequest to 'report'.",
    );
    expect(events).toEqual([
      expect.objectContaining({ type: 'failure', code: 'invalid-request', attempt: 1 }),
    ]);
  });

  test('the message has the first violations, what is allowed, and no value', async () => {
    const body = {
      amount: -31_337,
      currency: 'secret-1',
      note: 'secret-2',
      tags: { a: 'secret-3' },
      secret: 1,
    };
    const { message = '', violations } = await call('createPayment', { body });
    expect(message).toMatch(/; and 2 more\. Nothing was sent\./u);
    expect(violations?.map(({ pointer, keyword }) => `${pointer} ${keyword}`).toSorted()).toEqual([
      '/body additionalProperties',
      '/body/amount exclusiveMinimum',
      '/body/currency enum',
      '/body/note maxLength',
      '/body/tags/a maxLength',
    ]);
    expect(`${message}${JSON.stringify(violations)}`).not.toMatch(/secret|31337/u);
    expect((await call('createPayment', { body: { amount: 1, currency: 'x' } })).message).toContain(
      '/body/currency must be one of "BRL", "EUR"',
    );
  });

  test.each<readonly [string, unknown, readonly string[]]>([
    ['a member that only answers require', valid, []],
    ['a Date', { ...valid, due: new Date(0) }, []],
    ['a member that is undefined', { ...valid, currency: undefined, unknown: undefined }, []],
    ['a required member that is undefined', { amount: undefined }, ['/body required']],
    ['toJSON', { toJSON: () => valid }, []],
    ['what toJSON returns', { ...valid, toJSON: () => ({}) }, ['/body required']],
    ['a number with all digits', { ...valid, reference: 12_345_678_901_234_567_890n }, []],
    [
      'the text of an exact number',
      { ...valid, reference: '12345678901234567890' },
      ['/body/reference type'],
    ],
    ['a number that is not JSON', { amount: Number.NaN }, ['invalid-input']],
    ['an invalid date', { ...valid, due: new Date(Number.NaN) }, ['invalid-input']],
    ['null', null, ['/body type']],
    ['no body', undefined, ['invalid-input']],
  ])('%s', async (_, body, expected) => {
    expect(await refusal('createPayment', { body })).toEqual(expected);
  });

  test('by the media type of the call', async () => {
    expect(await refusal('several', {})).toEqual([]);
    expect(await refusal('several', { body: 1 })).toEqual([]);
    expect(await refusal('several', { body: true })).toEqual(['/body type']);
    const mediaType = 'application/vnd.other+json';
    expect(await refusal('several', { mediaType, body: true })).toEqual([]);
    expect(await refusal('several', { mediaType, body: 1 })).toEqual(['/body type']);
    expect(await refusal('several', { mediaType: 'text/plain', body: 'x' })).toEqual([]);
    expect(await refusal('several', { mediaType: 'text/html', body: 'x' })).toEqual([
      'invalid-input',
    ]);
  });

  test('is refused exactly where Ajv refuses the JSON that is sent otherwise', async () => {
    const ajv = new Ajv2020({ strict: false });
    const judges = schemas.map(({ definition, schemas: $defs }) =>
      ajv.compile({ ...definition, $defs }),
    );
    let bytes: string | undefined;
    const client = checked.createClient({
      fetch: async (_: string, init: RequestInit) => {
        bytes = await new Response(init.body ?? null).text();
        return new Response(undefined, { status: 204 });
      },
    });
    const counts = { sent: 0, refused: 0 };
    const operation = fc.nat({ max: schemas.length - 1 });
    const property = fc.asyncProperty(operation, value, async (index, body) => {
      fc.pre(body !== undefined);
      bytes = undefined;
      await client[`random${index}`]?.({ body }, { invalidRequest: 'ignore' });
      const isValid = judges[index]?.(JSON.parse(bytes ?? '')) === true;
      bytes = undefined;
      const code = await client[`random${index}`]?.({ body }).then(
        () => undefined,
        (error: { readonly code: string }) => error.code,
      );
      expect(code).toBe(isValid ? undefined : 'invalid-request');
      expect(bytes === undefined).toBe(!isValid);
      counts[isValid ? 'sent' : 'refused'] += 1;
    });
    await fc.assert(property, { numRuns: 500 });
    expect(Math.min(counts.sent, counts.refused)).toBeGreaterThan(20);
  });
});

describe('parameters', () => {
  test.each<readonly [string, Input, readonly string[]]>([
    ['valid', { query: { limit: 10, exact: true, q: 'a', since: '2026-01-31T00:00:00Z' } }, []],
    ['too many', { query: { limit: 101 } }, ['/query/limit maximum']],
    ['a text that is no number', { query: { limit: 'x' } }, ['/query/limit type']],
    ['the text of a number', { query: { limit: '10', exact: 'true' } }, []],
    ['the text of a number that is too large', { query: { limit: '101' } }, ['/query/limit type']],
    ['a bigint', { query: { limit: 10n } }, []],
    ['null and undefined', { query: { limit: null, exact: undefined } }, []],
    ['a number for a text', { query: { q: 7 } }, []],
    ['a format', { query: { since: 'today' } }, ['/query/since format']],
    ['a reference', { query: { state: 'lost' } }, ['/query/state enum']],
    ['an item', { query: { states: ['open', 'lost'] } }, ['/query/states/1 enum']],
    ['items', { query: { states: ['open', null, undefined] } }, []],
    ['items as texts', { query: { numbers: ['1', 2] } }, []],
    ['too many items', { query: { numbers: [1, 2, 3] } }, ['/query/numbers maxItems']],
    ['an object', { query: { filter: { code: 7, size: '7', other: null } } }, []],
    ['a member', { query: { filter: { size: 0 } } }, ['/query/filter/size minimum']],
    ['no member', { query: { filter: {} } }, ['/query/filter required']],
    ['JSON', { query: { where: { a: 1 } } }, []],
    ['a text in JSON', { query: { where: { a: '1' } } }, ['/query/where/a type']],
    ['a header', { headers: { 'X-Size': 0 } }, ['/headers/X-Size minimum']],
    ['a cookie', { cookies: { session: 'ab' } }, ['/cookies/session minLength']],
    ['a Date', { query: { since: new Date(0) } }, ['invalid-input']],
    ['an object in place of a scalar', { query: { limit: {} } }, ['/query/limit type']],
    ['what the contract does not have', { query: { other: 1 } }, []],
  ])('%s', async (_, input, expected) => {
    expect(await refusal('list', { path: { id: 'a' }, ...input })).toEqual(expected);
  });

  test('a path, and all violations at once', async () => {
    const input = { path: { id: 'A/' }, query: { limit: 0 }, cookies: { session: '' } };
    expect(await refusal('list', input)).toEqual([
      '/path/id pattern',
      '/query/limit minimum',
      '/cookies/session minLength',
    ]);
  });

  test('a header of the call in any case', async () => {
    const input = { path: { id: 'a' } };
    expect(await refusal('list', input, {}, { headers: { 'x-size': '0' } })).toEqual([
      '/headers/X-Size type',
    ]);
    expect(await refusal('list', input, {}, { headers: { 'x-SIZE': '7' } })).toEqual([]);
    expect(await refusal('traced', input, {}, { headers: { 'X-Request-Id': 'x' } })).toEqual([
      '/headers/x-request-id format',
    ]);
  });

  test('a value of the caller in place of one that the client generates', async () => {
    const traceId = '00000000-0000-4000-8000-000000000000';
    expect(await refusal('generated', {})).toEqual([]);
    expect(await refusal('generated', { headers: { 'X-Trace-Id': traceId } })).toEqual([]);
    expect(await refusal('generated', { headers: { 'X-Trace-Id': 'abc' } })).toEqual([
      '/headers/X-Trace-Id format',
    ]);
    // The client replaces it.
    expect(await refusal('generated', { headers: { 'X-Sent-At': 'abc' } })).toEqual([]);
  });

  test.each([
    ['an object', { 'x-size': '0' }],
    ['a function', () => ({ 'x-size': '0' })],
  ])('headers of the client: %s', async (_, headers) => {
    const input = { path: { id: 'a' } };
    expect(await refusal('list', input, { headers })).toEqual(['/headers/X-Size type']);
    // What takes their place is sent, and they are not.
    expect(await refusal('list', { ...input, headers: { 'X-Size': 7 } }, { headers })).toEqual([]);
    expect(await refusal('list', input, { headers }, { headers: { 'X-SIZE': '7' } })).toEqual([]);
    expect(await refusal('traced', input, { headers })).toEqual([]);
    expect(await refusal('list', input, { headers, invalidRequest: 'ignore' })).toEqual([]);
    const { events } = await call('list', input, { headers, invalidRequest: 'report' });
    expect(events.map(({ type }) => type)).toEqual(['invalid-request', 'request', 'response']);
  });

  test('headers of a further attempt do not claim that nothing was sent', async () => {
    const sizes = ['7', '0'];
    const attempts = { requests: 0 };
    const client = checked.createClient({
      retry: { attempts: 3, firstDelayMs: 0 },
      headers: () => ({ 'X-Size': sizes[attempts.requests] ?? '7' }),
      fetch: async () => {
        attempts.requests += 1;
        return new Response(undefined, { status: 503 });
      },
    });
    const sent = client['list']?.({ path: { id: 'a' } });
    await expect(sent).rejects.toMatchObject({
      code: 'function-failed',
      status: 503,
      cause: expect.objectContaining({ code: 'invalid-request' }) as object,
    });
    expect(attempts.requests).toBe(1);
  });

  test('a missing one is no violation of its schema', async () => {
    expect(await refusal('list', {})).toEqual(['invalid-input']);
  });
});

describe('forms and other bodies', () => {
  const bytes = new Uint8Array(3);
  test.each<readonly [string, unknown, readonly string[]]>([
    ['sendForm', { amount: 7, code: 'a' }, []],
    ['sendForm', { amount: '7', code: 7, exact: 'false', ids: ['1', null] }, []],
    ['sendForm', { amount: 7, ids: [3], note: null, code: null }, []],
    ['sendForm', { amount: 'x' }, ['/body/amount type']],
    ['sendForm', { amount: null }, ['/body required']],
    ['sendForm', { code: 'a' }, ['/body required']],
    ['sendForm', { amount: 7, code: 'abcd' }, ['/body/code maxLength']],
    ['sendForm', { amount: 7, code: new Date(0) }, ['invalid-input']],
    ['upload', { amount: 7, photo: bytes, pages: [bytes, new Blob(['a'])] }, []],
    ['upload', { amount: part(7), photo: part(bytes), pages: part(bytes) }, []],
    ['upload', { amount: 7, either: bytes }, []],
    [
      'upload',
      { amount: 7, either: {} },
      ['/body/either type', '/body/either type', '/body/either enum', '/body/either anyOf'],
    ],
    ['upload', { amount: part('x'), photo: bytes }, ['/body/amount type']],
    ['upload', { photo: bytes }, ['/body required']],
    ['upload', { amount: 7, pages: [bytes, bytes, bytes] }, ['/body/pages maxItems']],
    ['setState', 'open', []],
    ['setState', 'lost', ['/body enum']],
    ['sendAny', { a: 1 }, []],
    ['sendAny', { a: 0 }, ['/body/a minimum']],
    ['sendBytes', bytes, []],
    ['sendBytes', new Blob([bytes]).stream(), []],
    ['sendXml', '<a>0</a>', []],
  ])('%s of %o', async (name, body, expected) => {
    expect(await refusal(name, { body })).toEqual(expected);
  });
});

describe('the option invalidRequest', () => {
  const input = { body: { amount: 'secret' } };

  test('`report` sends the call and reports the violations once', async () => {
    const { requests, events } = await call('createPayment', input, { invalidRequest: 'report' });
    expect(requests).toBe(1);
    const reported = events.filter(({ type }) => type === 'invalid-request');
    expect(reported).toEqual([
      expect.objectContaining({ operation: 'createPayment', attempt: 1 }) as object,
    ]);
    const [{ cause } = { cause: undefined }] = reported as unknown as { readonly cause?: Error }[];
    expect(cause).toMatchObject({ violations: [{ pointer: '/body/amount', keyword: 'type' }] });
    expect(cause?.message).toBe('/body/amount must be of type number');
  });

  test('`ignore` sends the call', async () => {
    const { requests, events } = await call('createPayment', input, { invalidRequest: 'ignore' });
    expect(requests).toBe(1);
    expect(events.map(({ type }) => type)).toEqual(['request', 'response']);
  });

  test.each(['report', 'ignore'])('`%s` of a call overrides that of the client', async (word) => {
    const one = await call('createPayment', input, {}, { invalidRequest: word });
    expect(one.requests).toBe(1);
    const other = await call(
      'createPayment',
      input,
      { invalidRequest: word },
      { invalidRequest: 'throw' },
    );
    expect(other).toMatchObject({ code: 'invalid-request', requests: 0 });
  });

  test('an unknown word is refused', async () => {
    const { code, requests } = await call('createPayment', input, {}, { invalidRequest: 'never' });
    expect({ code, requests }).toEqual({ code: 'invalid-option', requests: 0 });
    expect(() => checked.createClient({ invalidRequest: false })).toThrow('invalidRequest');
  });

  test('the entry without validators sends the call', async () => {
    expect((await call('createPayment', input, {}, {}, unchecked)).requests).toBe(1);
  });
});

test('a declared path of `request()` is checked, another one is not', async () => {
  let requests = 0;
  const client = checked.createClient({
    fetch: async () => {
      requests += 1;
      return new Response(undefined, { status: 204 });
    },
  });
  const body = { amount: 'x' };
  await expect(client.request('POST', '/payments', { body })).rejects.toMatchObject({
    code: 'invalid-request',
  });
  await client.request('POST', '/other', { body });
  expect(requests).toBe(1);
});
