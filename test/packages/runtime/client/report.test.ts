import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  accessToken,
  connect,
  fromJson,
  callOf,
  withChecks,
  type ClientEvent,
  type OperationData,
} from '../../../../packages/runtime/client/client.ts';
import { createReport } from '../../../../packages/runtime/client/call.ts';

const call = { operation: 'a', method: 'GET', path: '/a', attempt: 1, requestId: undefined };
const error = Object.assign(new RangeError('secret'), { code: 'E_STORE' });
const failed: ClientEvent = { type: 'token-store-failure', action: 'get', cause: error };
const invalid: ClientEvent = { ...call, type: 'invalid-response', status: 200, cause: error };

const unheard = { code: 'COUNTERSIGN_STORE', message: 'the store failed', help: 'It goes on.' };

let warnings: (readonly [text: unknown, code: unknown])[];

beforeEach(() => {
  warnings = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((text, options) => {
    warnings.push([text, (options as { readonly code?: string }).code]);
  });
});
afterEach(() => vi.restoreAllMocks());

test('without `onEvent`, failures that no call throws are reported once, without messages', async () => {
  const responses = { '200': { 'application/json': fromJson } };
  const issue: OperationData = {
    id: 'issue',
    method: 'GET',
    path: '/token',
    responses,
    security: [],
  };
  const read = withChecks(callOf({ id: 'read', method: 'GET', path: '/a', responses }), {
    '200': {
      'application/json': () => {
        throw error;
      },
    },
  }).operation;
  const { call: send } = connect(
    {
      baseUrl: 'https://api.example',
      invalidResponse: 'report',
      fetch: () => Promise.resolve(Response.json({ token: 'abc' })),
      tokenStore: { get: () => Promise.reject(error), set: () => undefined },
    },
    {
      everyRequest: [],
      schemes: {
        token: accessToken(
          { operation: issue, token: { body: ['token'] }, value: '{token}' },
          true,
        ),
      },
      security: [['token']],
      inputs: { issue: { body: undefined } },
    },
  );
  await send(read);
  await send(read);
  expect(warnings).toEqual([
    ['`get` of the token store failed: RangeError [E_STORE]', 'COUNTERSIGN_TOKEN_STORE_FAILED'],
    [
      'A response to read with the status 200 violates its schema: RangeError [E_STORE]',
      'COUNTERSIGN_INVALID_RESPONSE',
    ],
  ]);
});

test('the warning about a response names the first violation, once for all items of a list', async () => {
  let index = 0;
  const responses = { '200': { 'application/json': fromJson } };
  const violating = withChecks(callOf({ id: 'read', method: 'GET', path: '/a', responses }), {
    '200': {
      'application/json': () => {
        index += 1;
        const violations = [
          {
            pointer: index < 4 ? `/items/${index}/price` : '/a\n1',
            keyword: 'type',
            message: 'secret',
          },
          { pointer: '/later', keyword: 'required', message: 'secret' },
        ];
        throw Object.assign(new TypeError('secret'), { violations });
      },
    },
  }).operation;
  const { call: send } = connect(
    {
      baseUrl: 'https://api.example',
      invalidResponse: 'report',
      fetch: () => Promise.resolve(Response.json({ items: ['secret'] })),
    },
    { everyRequest: [], schemes: {}, security: [], inputs: {} },
  );
  for (let call = 0; call < 5; call += 1) await send(violating);
  const text = 'A response to read with the status 200 violates its schema';
  expect(warnings).toEqual([
    [`${text} (type at "/items/1/price"): TypeError`, 'COUNTERSIGN_INVALID_RESPONSE'],
    [`${text} (type at "/a\\n1"): TypeError`, 'COUNTERSIGN_INVALID_RESPONSE'],
  ]);
});

test('without `onEvent`, what a call throws or nothing depends on is not reported', () => {
  const report = createReport(undefined);
  report({ ...call, type: 'failure', code: 'network', status: undefined });
  report({ ...call, type: 'retry', reason: 'status', delayMs: 1 });
  report({ type: 'token-store-entry-ignored', reason: 'expired' });
  expect(warnings).toEqual([]);
});

test('with `onEvent`, failures are events and no warnings', () => {
  const events: ClientEvent[] = [];
  const report = createReport((event) => events.push(event));
  for (const event of [failed, invalid]) report(event, unheard);
  expect([events, warnings]).toEqual([[failed, invalid], []]);
});

test.each<readonly [string, () => unknown]>([
  [
    'throws',
    () => {
      throw new TypeError('secret');
    },
  ],
  ['rejects', async () => await Promise.reject(new TypeError('secret'))],
])(
  'an `onEvent` that %s fails no call, and is reported with what it did not hear',
  async (_how, onEvent) => {
    createReport(onEvent)(failed, unheard);
    await expect.poll(() => warnings).toHaveLength(2);
    expect(warnings).toEqual([
      ['`onEvent` failed: TypeError', 'COUNTERSIGN_LISTENER_FAILED'],
      ['the store failed: RangeError [E_STORE]', 'COUNTERSIGN_STORE'],
    ]);
  },
);
