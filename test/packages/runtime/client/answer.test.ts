import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  ClientError,
  connect,
  fromBinary,
  fromEvents,
  fromJson,
  fromText,
  isFailureOf,
  callOf,
  withChecks,
  type Answer,
  type CallOptions,
  type ClientEvent,
  type ConnectionOptions,
  type OperationData,
} from '../../../../packages/runtime/client/client.ts';
import { startServer } from './server.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

/** An operation that moves money, with a declared 402, other declared failures, and a success. */
function operation(more: Partial<OperationData> = {}): OperationData {
  const refund: OperationData = {
    id: 'createRefund',
    method: 'POST',
    path: '/refunds',
    responses: {
      '201': { 'application/json': fromJson },
      '304': {},
      '402': { 'application/json': fromJson },
      '403': {},
      default: { 'application/json': fromJson, 'text/event-stream': fromEvents('json', 'data') },
    },
  };
  const checked = withChecks(callOf(refund), {
    '402': {
      'application/json': (body) => {
        if (typeof (body as { reason?: unknown }).reason !== 'string')
          throw new TypeError('no reason');
      },
    },
  });
  return { ...checked.operation, ...more };
}

interface Result {
  readonly answer?: Answer;
  readonly error?: ClientError;
  readonly events: readonly ClientEvent[];
  /** How often the call was sent. */
  readonly sent: number;
}

/** Makes a call that is answered with the given responses, one for each attempt. */
async function call(
  responses: readonly (() => Response)[],
  described: OperationData = operation(),
  options: Partial<ConnectionOptions> & CallOptions = {},
): Promise<Result> {
  const events: ClientEvent[] = [];
  let sent = 0;
  const { stream, repeatable, ...ofConnection } = options;
  const client = connect(
    {
      baseUrl: 'https://bank.example',
      fetch: async () => responses[Math.min(sent++, responses.length - 1)]?.() ?? new Response(),
      sleep: async () => undefined,
      onEvent: (event) => events.push(event),
      ...ofConnection,
    },
    { everyRequest: [], schemes: {}, security: [] },
  );
  const ofCall = {
    ...(stream === undefined ? {} : { stream }),
    ...(repeatable === undefined ? {} : { repeatable }),
  };
  try {
    return { answer: await client.call(described, {}, ofCall), events, sent };
  } catch (error) {
    if (error instanceof ClientError) return { error, events, sent };
    throw error;
  }
}

/** Returns a body that ends with an error after some bytes. */
function cut(text: string): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
      else controller.enqueue(new TextEncoder().encode(text));
      isSent = true;
    },
  });
}

const textOf = (error: ClientError | undefined): string => new TextDecoder().decode(error?.bytes);

describe('a call returns', () => {
  test.each([
    [201, '201', '{"id":"r1"}', { id: 'r1' }],
    [304, '304', null, undefined],
  ])('the declared success %i', async (status, declaredStatus, body, expected) => {
    const { answer } = await call([() => new Response(body, { status, headers: json })]);
    expect(answer).toMatchObject({ status, declaredStatus, body: expected });
  });

  test('a 2XX where the contract declares `default` alone', async () => {
    const described = operation({ responses: { default: { 'application/json': fromJson } } });
    const { answer } = await call([() => Response.json({ id: 1 }, { status: 202 })], described);
    expect(answer).toMatchObject({ status: 202, declaredStatus: 'default', body: { id: 1 } });
    const { error } = await call([() => Response.json({ id: 1 }, { status: 500 })], described);
    expect(error).toMatchObject({ code: 'failure-status', status: 500, declaredStatus: 'default' });
    const redirect = (): Response => new Response(null, { status: 302 });
    expect((await call([redirect], described)).error).toMatchObject({ code: 'redirected' });
  });
});

describe('a declared failure rejects', () => {
  test.each([
    [402, '{"reason":"funds"}', '402', { reason: 'funds' }],
    [403, 'no', '403', 'no'],
    [401, '{"title":"who"}', 'default', { title: 'who' }],
    [500, '{"title":"broken"}', 'default', { title: 'broken' }],
    [503, '{"title":"busy"}', 'default', { title: 'busy' }],
  ])('%i, with its answer', async (status, text, declaredStatus, body) => {
    const headers = { 'content-type': status === 403 ? 'text/plain' : 'application/json' };
    const { error, events, sent } = await call([() => new Response(text, { status, headers })]);
    expect(error).toMatchObject({
      code: 'failure-status',
      operation: 'createRefund',
      status,
      declaredStatus,
      body,
      declaredHeaders: {},
      message: `createRefund: the service answered with the status ${status}.`,
    });
    expect(textOf(error)).toBe(text);
    expect(error?.headers?.get('content-type')).toBe(headers['content-type']);
    expect(isFailureOf(operation(), error)).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'failure', code: 'failure-status', status });
    // A POST is never sent twice, because its outcome could be unknown.
    expect(sent).toBe(1);
  });

  test('a range, and the status of it that has a declaration of its own', async () => {
    const described = operation({
      responses: { '2XX': {}, '4XX': { 'application/json': fromJson }, '404': {} },
    });
    for (const [status, declaredStatus] of [
      [404, '404'],
      [409, '4XX'],
    ] as const) {
      const { error } = await call([() => Response.json({}, { status })], described);
      expect(error).toMatchObject({ code: 'failure-status', status, declaredStatus });
    }
    const { error } = await call([() => Response.json({}, { status: 500 })], described);
    expect(error).toMatchObject({ code: 'unexpected-status', status: 500, body: {} });
    expect(isFailureOf(described, error)).toBe(false);
  });

  test('after all attempts of a call that may be repeated', async () => {
    const described = operation({ method: 'GET' });
    const busy = (): Response => Response.json({}, { status: 503 });
    const used = await call([busy], described);
    expect(used).toMatchObject({ sent: 3, error: { code: 'failure-status', status: 503 } });
    const repaired = await call([busy, () => Response.json({}, { status: 201 })], described);
    expect(repaired).toMatchObject({ sent: 2, answer: { status: 201 } });
    const limited = (): Response =>
      new Response('{}', { status: 429, headers: { ...json, 'retry-after': '3600' } });
    expect(await call([limited], described)).toMatchObject({
      sent: 1,
      error: { code: 'failure-status', status: 429 },
    });
  });

  test('without showing its body', async () => {
    const { error } = await call([() => Response.json({ reason: 'a secret' }, { status: 402 })]);
    for (const shown of [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error)])
      expect(shown).not.toContain('a secret');
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ClientError',
      code: 'failure-status',
      operation: 'createRefund',
      status: 402,
      declaredStatus: '402',
      mediaType: 'application/json',
    });
  });
});

describe('a failure keeps its status, whatever its body is', () => {
  const rows: readonly (readonly [string, () => Response, string, unknown, string])[] = [
    [
      'the page of a proxy',
      () => new Response('<p>', { status: 502, headers: html }),
      '<p>',
      '<p>',
      'does not declare the media type',
    ],
    [
      'an empty body',
      () => new Response('', { status: 402, headers: json }),
      '',
      undefined,
      'cannot be decoded',
    ],
    [
      'a body that is not JSON',
      () => new Response('{"reason":', { status: 402, headers: json }),
      '{"reason":',
      new TextEncoder().encode('{"reason":'),
      'cannot be decoded',
    ],
    [
      'a body that violates its schema',
      () => Response.json({ reason: 7 }, { status: 402 }),
      '{"reason":7}',
      { reason: 7 },
      'violates its schema',
    ],
    [
      'a number that no double represents exactly',
      () => new Response('{"reason":12345678901234567890}', { status: 402, headers: json }),
      '{"reason":12345678901234567890}',
      { reason: '12345678901234567890' },
      'that no double represents exactly',
    ],
    [
      'a body that is too large',
      () =>
        new Response('{"reason":"0123456789012345678901234567890"}', {
          status: 402,
          headers: json,
        }),
      '{"reason":"012345678901234567890',
      new TextEncoder().encode('{"reason":"012345678901234567890'),
      'maxResponseBytes',
    ],
    [
      'a body that is cut off',
      () => new Response(cut('{"rea'), { status: 402, headers: json }),
      '{"rea',
      new TextEncoder().encode('{"rea'),
      'incomplete',
    ],
  ];

  test.each(rows)('%s', async (_, respond, text, body, message) => {
    const { error, sent } = await call([respond], operation(), { maxResponseBytes: 32 });
    expect(error).toMatchObject({ code: 'failure-status', status: respond().status });
    expect(error?.message).toContain(message);
    expect(textOf(error)).toBe(text);
    expect(error?.body).toEqual(body);
    expect(error?.declaredStatus).toBeUndefined();
    expect(isFailureOf(operation(), error)).toBe(false);
    expect(sent).toBe(1);
  });

  test.each(['throw', 'report', 'ignore'] as const)(
    'with invalidResponse: %j too',
    async (invalidResponse) => {
      const respond = (): Response => Response.json({ reason: 7 }, { status: 402 });
      const { error, events } = await call([respond], operation(), { invalidResponse });
      expect(error).toMatchObject({ code: 'failure-status', status: 402, body: { reason: 7 } });
      // Without a judgement, the declaration is believed, as in an answer.
      expect(isFailureOf(operation(), error)).toBe(invalidResponse === 'ignore');
      expect(error?.cause).toEqual(
        invalidResponse === 'ignore' ? undefined : new TypeError('no reason'),
      );
      expect(events.filter(({ type }) => type === 'invalid-response')).toHaveLength(
        invalidResponse === 'report' ? 1 : 0,
      );
    },
  );

  test('of HEAD, which has none', async () => {
    const described = operation({ method: 'HEAD', responses: { '200': {}, '404': {} } });
    await using server = await startServer((_, response) => response.writeHead(404, json).end());
    const client = connect(
      { baseUrl: server.baseUrl },
      { everyRequest: [], schemes: {}, security: [] },
    );
    const error: unknown = await client.call(described, {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'failure-status', status: 404, body: undefined });
    expect(isFailureOf(described, error)).toBe(true);
  });

  test.each([
    ['within the time of an attempt', { attemptTimeoutMs: 50 }],
    ['within the time of the call', { timeoutMs: 50 }],
  ])('although it does not end %s', async (_, limits) => {
    const respond = (): Response =>
      new Response(new ReadableStream({ start: (to) => to.enqueue(Uint8Array.of(0x7b)) }), {
        status: 402,
        headers: json,
      });
    const { error } = await call([respond], operation({ method: 'GET' }), limits);
    expect(error).toMatchObject({ code: 'failure-status', status: 402 });
    expect(textOf(error)).toBe('{');
  });
});

describe('the body of a failure is read to its end', () => {
  test('with `stream: true`', async () => {
    const described = operation({
      responses: {
        '200': { 'application/octet-stream': fromBinary },
        '404': { 'application/octet-stream': fromBinary },
      },
    });
    const headers = { 'content-type': 'application/octet-stream' };
    const respond = (): Response => new Response('gone', { status: 404, headers });
    const { error } = await call([respond], described, { stream: true });
    expect(error).toMatchObject({ code: 'failure-status', declaredStatus: '404' });
    expect(error?.body).toEqual(new TextEncoder().encode('gone'));
    const { answer } = await call([() => new Response('here', { headers })], described, {
      stream: true,
    });
    expect(answer?.body).toBeInstanceOf(ReadableStream);
  });

  test('where the contract declares events', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const respond = (): Response => new Response('data: 1\n\n', { status: 500, headers });
    const { error } = await call([respond]);
    expect(error).toMatchObject({ code: 'failure-status', declaredStatus: 'default' });
    expect(error?.body).toEqual(new TextEncoder().encode('data: 1\n\n'));
  });

  test('of a call for events, which is answered with JSON', async () => {
    const described = operation({
      method: 'GET',
      responses: {
        '200': { 'text/event-stream': fromEvents('json', 'data') },
        '4XX': { 'application/json': fromJson },
      },
    });
    const { error } = await call([() => Response.json({ a: 1 }, { status: 404 })], described);
    expect(error).toMatchObject({ code: 'failure-status', declaredStatus: '4XX', body: { a: 1 } });
  });
});

describe('what the contract does not declare', () => {
  test.each([
    [200, '{"id":"r1"}'],
    [202, '{"id":"r1"}'],
    [202, '<p>'],
  ])('a %i rejects, and says that the call may have been executed', async (status, text) => {
    const { error } = await call([() => new Response(text, { status, headers: json })]);
    expect(error).toMatchObject({ code: 'unexpected-status', status });
    expect(error?.message).toContain('The service may have executed the call.');
    expect(textOf(error)).toBe(text);
    expect(isFailureOf(operation(), error)).toBe(false);
  });

  test('a 2XX beside other failures than `default`', async () => {
    const described = operation({ responses: { '404': {}, default: {} } });
    const { error } = await call([() => Response.json({}, { status: 200 })], described);
    expect(error).toMatchObject({ code: 'unexpected-status', status: 200 });
  });

  test.each([301, 302, 303, 307, 308])('the redirect %i is `redirected`', async (status) => {
    const headers = { location: 'https://other.example/' };
    const { error, sent } = await call([() => new Response(null, { status, headers })]);
    expect(error).toMatchObject({ code: 'redirected', status });
    expect(sent).toBe(1);
  });

  test('in a call that it does not declare either, every status but 2XX rejects', async () => {
    const { responses: _, checkOf: _check, ...described } = operation();
    expect((await call([() => Response.json({}, { status: 202 })], described)).answer?.status).toBe(
      202,
    );
    const { error } = await call([() => Response.json({ a: 1 }, { status: 500 })], described);
    expect(error).toMatchObject({
      code: 'unexpected-status',
      status: 500,
      body: { a: 1 },
      message: 'createRefund: the service answered with the status 500.',
    });
  });
});

describe('the answer of a call that succeeded is not lost', () => {
  const csv = operation({ responses: { '200': { 'text/csv': fromText } } });
  const ofType = (type: string, body: BodyInit): (() => Response) => {
    return () => new Response(body, { headers: { 'content-type': type } });
  };

  test('in another charset, it is decoded', async () => {
    const bytes = Uint8Array.of(0x50, 0xe3, 0x6f);
    const { answer } = await call([ofType('text/csv; charset=iso-8859-1', bytes)], csv);
    expect(answer?.body).toBe('Pão');
    const declared = operation({
      responses: { '200': { 'text/csv; charset=iso-8859-1': fromText } },
    });
    expect((await call([ofType('text/csv', bytes)], declared)).answer?.body).toBe('Pão');
    // What the response states counts more than the contract.
    expect((await call([ofType('text/csv; charset=utf-8', 'Pão')], declared)).answer?.body).toBe(
      'Pão',
    );
  });

  const rows: readonly (readonly [string, () => Response, OperationData, string])[] = [
    [
      'an unknown charset',
      ofType('text/csv; charset=klingon', 'a,b'),
      csv,
      'has a charset that the platform does not know',
    ],
    [
      'a charset that it is not in',
      ofType('text/csv', Uint8Array.of(0x50, 0xe3)),
      csv,
      'cannot be decoded as its media type',
    ],
    [
      'JSON with a syntax error',
      () => new Response('{"id":', { status: 201, headers: json }),
      operation(),
      'cannot be decoded as its media type',
    ],
    [
      'JSON in UTF-16',
      () =>
        new Response(Uint8Array.of(0x7b, 0, 0x7d, 0), {
          status: 201,
          headers: { 'content-type': 'application/json; charset=utf-16le' },
        }),
      operation(),
      'cannot be decoded as its media type',
    ],
    [
      'a media type that is not declared',
      () => new Response('%PDF', { status: 201, headers: { 'content-type': 'application/pdf' } }),
      operation(),
      'does not declare the media type',
    ],
    [
      'a body that is too large',
      () => new Response(JSON.stringify({ id: 'a'.repeat(99) }), { status: 201, headers: json }),
      operation(),
      'maxResponseBytes',
    ],
    [
      'a body that is cut off',
      () => new Response(cut('{"id'), { status: 201, headers: json }),
      operation(),
      'The connection failed',
    ],
  ];

  test.each(rows)('%s', async (_, respond, described, message) => {
    const bytes = new Uint8Array(
      await respond()
        .arrayBuffer()
        .catch(() => new TextEncoder().encode('{"id').buffer),
    ).subarray(0, 64);
    const { error, sent } = await call([respond], described, { maxResponseBytes: 64 });
    expect(error?.code).not.toBe('failure-status');
    expect(error?.status).toBe(respond().status);
    expect(error?.message).toContain(message);
    expect(error?.message).toContain('The service may have executed the call.');
    expect(error?.bytes).toEqual(bytes);
    expect(error?.body).toEqual(bytes);
    expect(sent).toBe(1);
  });

  test('an inexact number is given as text', async () => {
    const respond = (): Response =>
      new Response('{"amount":12345678901234567890}', { status: 201, headers: json });
    const { error } = await call([respond]);
    expect(error).toMatchObject({
      code: 'invalid-response',
      status: 201,
      body: { amount: '12345678901234567890' },
    });
  });

  test('an item of a stream that cannot be decoded is given as it arrived', async () => {
    const described = operation({
      responses: { '200': { 'text/event-stream': fromEvents('json', 'data') } },
    });
    const respond = ofType('text/event-stream', 'data: {"a":1}\n\ndata: {"b":\n\n');
    const { answer } = await call([respond], described);
    expect(answer).toBeDefined();
    const body = answer?.body as AsyncIterable<unknown>;
    const items: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const item of body) items.push(item);
    };
    const error: unknown = await read().catch((reason: unknown) => reason);
    expect(items).toEqual([{ data: { a: 1 } }]);
    expect(error).toMatchObject({ code: 'invalid-response', status: 200, body: '{"b":' });
    expect(textOf(error as ClientError)).toBe('{"b":');
  });
});

test('a guard accepts the error of a fake', () => {
  const body = { reason: 'funds' };
  const about = { operation: 'createRefund', status: 402, declaredStatus: '402', body };
  const error = new ClientError('failure-status', 'refused', about);
  expect(isFailureOf(operation(), error)).toBe(true);
  expect(error).toMatchObject({ status: 402, body });
});

test('a guard accepts the error of another copy of the runtime', async () => {
  const copy = `${import.meta.resolve('../../../../packages/runtime/client/errors.ts')}?copy`;
  const { ClientError: OtherError } = (await import(copy)) as { ClientError: typeof ClientError };
  const error = new OtherError('failure-status', 'refused', {
    operation: 'createRefund',
    declaredStatus: '402',
  });
  expect(error).not.toBeInstanceOf(ClientError);
  expect(isFailureOf(operation(), error)).toBe(true);
});

test('a guard accepts no error of another operation, and nothing else', async () => {
  const { error } = await call([() => Response.json({ reason: 'x' }, { status: 402 })]);
  expect(isFailureOf(operation({ id: 'createPayout' }), error)).toBe(false);
  expect(isFailureOf(operation({ responses: { '201': {} } }), error)).toBe(false);
  for (const other of [
    undefined,
    null,
    'text',
    {},
    new Error('x'),
    { code: error?.code, operation: error?.operation, declaredStatus: '402' },
  ])
    expect(isFailureOf(operation(), other)).toBe(false);
});
