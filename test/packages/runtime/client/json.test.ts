import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  form,
  formBody,
  fromEvents,
  fromJson,
  fromLines,
  json,
  jsonPair,
  multipart,
  simple,
  callOf,
  withChecks,
  type Answer,
  type ConnectionOptions,
  type Input,
  type OperationData,
} from '../../../../packages/runtime/client/client.ts';
import { parseJson, toJson } from '../../../../packages/runtime/client/request.ts';
import { parseBody } from '../../../../packages/runtime/webhooks/identify.ts';
import { startServer } from './server.ts';
import { connect } from './connect.ts';

const open = { everyRequest: [], schemes: {}, security: [] };

/** JSON texts full of numbers, and of texts that look like numbers. */
const texts = fc
  .array(
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
      fc
        .tuple(
          fc.nat(),
          fc.bigInt({ min: 0n, max: 10n ** 22n }),
          fc.integer({ min: -400, max: 400 }),
        )
        .map(([integer, fraction, power]) => `${integer}.${fraction}e${power}`),
      fc.string().map((text) => JSON.stringify(`${text}12345678901234567890\\"1e999`)),
      fc.constantFrom('0.1', '1e21', '100000000000000000000', '-0', '1E400', '0.30000000000000004'),
    ),
  )
  .map((items) => `{"a": [${items.join(', ')}]}`);

interface Source {
  readonly source?: string;
}

const parseWithSource = JSON.parse as (
  text: string,
  revive: (name: string, value: unknown, context: Source) => unknown,
) => unknown;

/** Returns the integer of a literal multiplied by 10^800. No literal of these tests has more digits. */
function toInteger(literal: string): bigint {
  const [, sign, integer = '', fraction = '', power = '0'] =
    /^(-?)(\d+)\.?(\d*)[eE]?([+-]?\d*)$/.exec(literal) ?? [];
  const absolute =
    BigInt(integer + fraction) * 10n ** BigInt(800 + Number(power) - fraction.length);
  return sign === '-' ? -absolute : absolute;
}

/** The result for a text, of the platform's own parser with source texts and of integers of any size. */
function expectedOf(text: string): {
  readonly exact: unknown;
  readonly hasInexact: boolean;
  readonly hasInfinite: boolean;
} {
  let hasInexact = false;
  let hasInfinite = false;
  const exact = parseWithSource(text, (_, value, { source = '' }) => {
    if (typeof value !== 'number') return value;
    const isInfinite = !Number.isFinite(value);
    if (!isInfinite && toInteger(source) === toInteger(String(value))) return value;
    hasInexact = true;
    hasInfinite ||= isInfinite;
    return source;
  });
  return { exact, hasInexact, hasInfinite };
}

describe('numbers of an answer', () => {
  test('are exact or refused, as integers of any size decide', () => {
    const outcome = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (error) {
        return error instanceof RangeError ? 'refused' : error;
      }
    };
    const seen = { exact: 0, inexact: 0, infinite: 0 };
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = new TextEncoder().encode(text);
        const { exact, hasInexact, hasInfinite } = expectedOf(text);
        seen[hasInfinite ? 'infinite' : hasInexact ? 'inexact' : 'exact'] += 1;
        const value: unknown = JSON.parse(text);
        expect(outcome(() => fromJson(bytes, 'refuse'))).toEqual(hasInexact ? 'refused' : value);
        expect(outcome(() => fromJson(bytes, 'text'))).toEqual(hasInfinite ? 'refused' : exact);
        expect(outcome(() => fromJson(bytes, 'round'))).toEqual(hasInfinite ? 'refused' : value);
        const received = parseBody(bytes, { strict: true, maxDepth: 64 });
        expect(received).toEqual({ text, value, exact });
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
  });

  test('of a text of many megabytes are found', () => {
    const long = `"${String.raw`\"1e999 `.repeat(1_000_000)}"`;
    expect(parseJson(`[${long}, 9007199254740993]`, 'text')).toEqual([
      JSON.parse(long),
      '9007199254740993',
    ]);
  });

  const getThing: OperationData = withChecks(
    callOf({
      id: 'getThing',
      method: 'GET',
      path: '/thing',
      responses: { '200': { 'application/json': fromJson } },
    }),
    {
      '200': {
        'application/json': (body) => {
          if (typeof (body as { amount?: unknown }).amount !== 'number')
            throw new Error('no number');
        },
      },
    },
  ).operation;
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    ['12345678901234567890', undefined, '12345678901234567890'],
    ['0.12345678901234567890', undefined, '0.12345678901234567890'],
    ['1e400', undefined, undefined],
    ['-1e400', undefined, undefined],
    ['19.99', 19.99, 19.99],
    ['10000000000000000000000', 1e22, 1e22],
    ['1e-7', 1e-7, 1e-7],
  ];

  test.each(rows)('%s is %j, and with numbers: "text" %j', async (literal, refuse, text) => {
    await using server = await startServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"amount":${literal},"note":"12345678901234567890"}`),
    );
    for (const [numbers, amount] of [
      [undefined, refuse],
      ['refuse', refuse],
      ['text', text],
    ] as const) {
      const options = { baseUrl: server.baseUrl, numbers } as ConnectionOptions;
      const client = connect(options, open);
      for (const call of [client.call(getThing), client.request('GET', '/thing')]) {
        if (amount === undefined)
          await expect(call).rejects.toMatchObject({
            code: 'invalid-response',
            message: expect.stringContaining('contains a number'),
          });
        else
          await expect(call).resolves.toMatchObject({
            body: { amount, note: '12345678901234567890' },
          });
      }
    }
  });

  test('of a stream follow the same option, item by item', async () => {
    await using server = await startServer(({ url }, response) => {
      const isLines = url === '/lines';
      response.writeHead(200, {
        'content-type': isLines ? 'application/x-ndjson' : 'text/event-stream',
      });
      response.end(
        isLines ? '{"a":12345678901234567890}\n' : 'data: {"a":12345678901234567890}\n\n',
      );
    });
    for (const [path, decoder] of [
      ['/lines', fromLines],
      ['/events', fromEvents('json', 'data')],
    ] as const) {
      const seen: unknown[] = [];
      const mediaType = path === '/lines' ? 'application/x-ndjson' : 'text/event-stream';
      const watch: OperationData = withChecks(
        callOf({
          id: 'watch',
          method: 'GET',
          path,
          responses: { '200': { [mediaType]: decoder } },
        }),
        { '200': { [mediaType]: (value) => void seen.push(value) } },
      ).operation;
      const read = async (options: Partial<ConnectionOptions>): Promise<unknown> => {
        const client = connect({ baseUrl: server.baseUrl, ...options }, open);
        const { body } = (await client.call(watch)) as Answer;
        for await (const item of body as AsyncIterable<unknown>) return item;
        return undefined;
      };
      await expect(read({})).rejects.toMatchObject({
        code: 'invalid-response',
        message: expect.stringContaining('contains a number'),
      });
      expect(JSON.stringify(await read({ numbers: 'text' }))).toContain('"12345678901234567890"');
      expect(seen).toEqual([{ a: 12_345_678_901_234_567_000 }]);
    }
  });

  test('of an unexpected answer are given as text', async () => {
    await using server = await startServer((_, response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"limit":12345678901234567890}'),
    );
    const failed = connect({ baseUrl: server.baseUrl }, open).request('GET', '/thing');
    await expect(failed).rejects.toMatchObject({ body: { limit: '12345678901234567890' } });
  });
});

describe('numbers of a call', () => {
  const send = (body: OperationData['body']): OperationData => ({
    id: 'send',
    method: 'POST',
    path: '/things/{id}',
    parameters: [
      { in: 'path', name: 'id', style: simple, required: true },
      { in: 'query', name: 'q', style: form },
      { in: 'query', name: 'filter', style: jsonPair },
      { in: 'headers', name: 'x-amount', style: simple },
    ],
    ...(body === undefined ? {} : { body }),
    responses: { '204': {} },
  });
  const operations: Readonly<Record<string, OperationData>> = {
    json: send({ content: { 'application/json': json } }),
    form: send({ content: { 'application/x-www-form-urlencoded': formBody } }),
    multipart: send({ content: { 'multipart/form-data': multipart } }),
  };
  const at = (kind: string, input: Input): readonly [string, Input] => [
    kind,
    { path: { id: 1 }, ...input },
  ];
  const places = (value: unknown): readonly (readonly [string, Input])[] => [
    at('json', { body: value }),
    at('json', { body: { a: [{ b: value }] } }),
    at('form', { body: { a: value } }),
    at('form', { body: { a: [value] } }),
    at('multipart', { body: { a: value } }),
    at('multipart', { body: { a: { b: value } } }),
    at('json', { path: { id: value } }),
    at('json', { query: { q: value } }),
    at('json', { query: { q: [value] } }),
    at('json', { query: { filter: { a: value } } }),
    at('json', { headers: { 'x-amount': value } }),
  ];

  test.each(
    [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].flatMap((value) =>
      places(value).map(([kind, input]) => [kind, input] as const),
    ),
  )('that JSON does not have are refused before anything is sent: %s %o', async (kind, input) => {
    await using server = await startServer((_, response) => response.writeHead(204).end());
    const client = connect({ baseUrl: server.baseUrl }, open);
    const operation = operations[kind] as OperationData;
    await expect(client.call(operation, input)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(client.request('POST', '/things/{id}', input)).rejects.toMatchObject({
      code: 'invalid-input',
    });
    expect(server.arrived).toEqual([]);
  });

  test.each([
    ['a bigint', 12_345_678_901_234_567_890n, '12345678901234567890'],
    [
      'what JSON.rawJSON has made',
      (JSON as { rawJSON?: (text: string) => unknown }).rawJSON?.('0.10000000000000000001'),
      '0.10000000000000000001',
    ],
  ])('are sent to the last digit: %s', async (_, value, text) => {
    await using server = await startServer((_arrival, response) => response.writeHead(204).end());
    const client = connect({ baseUrl: server.baseUrl }, open);
    for (const [kind, input] of places(value)) {
      await client.call(operations[kind] as OperationData, input);
      const arrived = server.arrived.at(-1);
      const requestText = decodeURIComponent(
        `${arrived?.url} ${String(arrived?.headers['x-amount'])} ${arrived?.body}`,
      );
      expect(requestText).toContain(text);
      expect(requestText).not.toMatch(/rawJSON|"-?\d/);
    }
  });

  test('and dates that are none, written as null by JSON.stringify, are refused', () => {
    expect(() => toJson({ at: new Date(Number.NaN) })).toThrow('invalid date');
    expect(toJson({ at: new Date(0), none: null, list: [null] })).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","none":null,"list":[null]}',
    );
    expect(() => toJson(undefined)).toThrow('not a JSON value');
  });

  test('are written as JSON.stringify writes them, of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });
});
