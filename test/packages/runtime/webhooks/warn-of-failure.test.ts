import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toFetchHandler } from '../../../../packages/runtime/webhooks/fetch.ts';
import {
  createReceiver,
  unauthenticated,
  type DeliveryInbox,
  type DeliveryRecord,
  type Kind,
  type Outcome,
  type Receive,
  type ReplayStore,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { toNodeHandler } from '../../../../packages/runtime/webhooks/node.ts';
import { createBareReceiver } from './bare-receiver.ts';
import { listen } from './listen.ts';
import { orderedKinds } from './ordered-kinds.ts';

const secret = 'The account 529.982.247-25 is not there.\n    at secret (file:///secret.ts:1:1)';

/** A warning that was emitted. */
interface Emitted {
  readonly text: string;
  readonly code: string;
  readonly detail: string;
}

let warnings: Emitted[];

beforeEach(() => {
  warnings = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((text, options) => {
    warnings.push({ text: String(text), ...(options as Pick<Emitted, 'code' | 'detail'>) });
  });
});
afterEach(() => vi.restoreAllMocks());

function fail(): never {
  throw Object.assign(new RangeError(secret), { code: 'E_ACCOUNT' });
}

async function failLater(): Promise<never> {
  await sleep(1);
  return fail();
}

const limits = { authenticationTimeoutMs: 10, storeTimeoutMs: 10, handlerTimeoutMs: 10 };
const never = (): Promise<never> => new Promise(() => undefined);

/** Sends a delivery to a receiver with these options. */
function send(options: object, body?: string): Promise<Outcome> {
  const receiverOptions = {
    authenticate: unauthenticated(),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
    ...options,
  };
  return deliver(createReceiver(orderedKinds, receiverOptions), body);
}

function deliver(receive: Receive, body = '{"id":"gull","state":1}'): Promise<Outcome> {
  return receive({
    method: 'POST',
    target: '/docked',
    headers: (name) => (name === 'x-delivery' ? ['D1'] : []),
    read: () => new TextEncoder().encode(body),
  });
}

const store = { claim: () => 'claimed', confirm: () => undefined, release: () => undefined };
type Failing = readonly [what: string, options: object, code: string, text: string, body?: string];

const withError: readonly Failing[] = [
  ['a handler', { otherwise: { rest: fail } }, 'HANDLER_FAILED', 'A handler failed for docked'],
  [
    'a handler, later',
    { otherwise: { rest: failLater } },
    'HANDLER_FAILED',
    'A handler failed for docked',
  ],
  [
    '`otherwise`',
    { otherwise: fail, on: Object.fromEntries([...orderedKinds.kinds].map(([n]) => [n, fail])) },
    'HANDLER_FAILED',
    'A handler failed for ',
  ],
  [
    '`onInvalid`',
    { onInvalid: fail },
    'HANDLER_FAILED',
    '`onInvalid` failed for docked',
    '{"id":"gull"}',
  ],
  ['`authenticate`', { authenticate: fail }, 'AUTHENTICATION_FAILED', '`authenticate` failed'],
  [
    '`authenticate`, later',
    { authenticate: failLater },
    'AUTHENTICATION_FAILED',
    '`authenticate` failed',
  ],
  [
    '`claim`',
    { replayStore: { ...store, claim: fail } },
    'STORE_FAILED',
    'The store failed for docked',
  ],
  [
    '`confirm`',
    { replayStore: { ...store, confirm: fail } },
    'STORE_FAILED',
    'The replay store did not record that docked was handled',
  ],
];

const withoutError: readonly Failing[] = [
  [
    'a handler',
    { ...limits, otherwise: { rest: never } },
    'OUT_OF_TIME',
    'A handler did not finish in time for docked',
  ],
  [
    '`onInvalid`',
    { ...limits, onInvalid: never },
    'OUT_OF_TIME',
    '`onInvalid` did not finish in time for docked',
    '{"id":"gull"}',
  ],
  [
    '`authenticate`',
    { ...limits, authenticate: never },
    'OUT_OF_TIME',
    '`authenticate` did not finish in time',
  ],
  [
    '`claim`',
    { ...limits, replayStore: { ...store, claim: never } },
    'STORE_FAILED',
    'The store did not finish in time for docked',
  ],
  [
    '`confirm`',
    { ...limits, replayStore: { ...store, confirm: never } },
    'STORE_FAILED',
    'The replay store did not record that docked was handled',
  ],
];

/** Returns rows of one length, which is what the types of `test.each` require. */
function rows(
  cases: readonly Failing[],
): readonly (readonly [string, object, string, string, string | undefined])[] {
  return cases.map(([what, options, code, text, body]) => [what, options, code, text, body]);
}

describe('without `onEvent`', () => {
  test.each(rows(withError))(
    'an error of %s is reported without its message',
    async (_what, options, code, text, body) => {
      await send(options, body);
      expect(warnings).toHaveLength(1);
      const [warning] = warnings;
      expect(warning?.code).toBe(`COUNTERSIGN_${code}`);
      expect(warning?.text).toContain(text);
      expect(warning?.text).toMatch(/: RangeError \[E_ACCOUNT\]$/);
      expect(warning?.detail).toMatch(
        /^ {4}at .*fail.* \(.+warn-of-failure\.test\.ts\S*:\d+:\d+\)\n/,
      );
      expect(JSON.stringify(warnings)).not.toMatch(/529|secret|gull|D1/);
    },
  );

  test.each(rows(withoutError))(
    'the time limit of %s is reported',
    async (_what, options, code, text, body) => {
      await send(options, body);
      expect(warnings).toMatchObject([{ code: `COUNTERSIGN_${code}`, text }]);
    },
  );

  test.each<readonly [string, () => unknown, string]>([
    ['rejects', failLater, 'The store failed for docked: RangeError [E_ACCOUNT]'],
    ['has no answer in time', never, 'The store did not finish in time for docked'],
    ['returns something else', async () => 'stored', 'The store failed for docked: WebhookError'],
  ])('an inbox that %s is reported', async (_what, store, text) => {
    const authenticate = unauthenticated();
    const inbox = { receive: store as DeliveryInbox['receive'] };
    const receive = createReceiver(orderedKinds, { authenticate, storeTimeoutMs: 10, inbox });
    expect((await deliver(receive)).status).toBe(503);
    expect(warnings).toMatchObject([{ code: 'COUNTERSIGN_STORE_FAILED' }]);
    expect(warnings[0]?.text).toContain(text);
  });

  test('a handler that fails after its time limit is reported twice: late, and failed', async () => {
    const late = async (): Promise<never> => {
      await sleep(30);
      return fail();
    };
    await send({ ...limits, otherwise: { rest: late } });
    await expect.poll(() => warnings).toHaveLength(2);
    expect(warnings.map(({ code }) => code)).toEqual([
      'COUNTERSIGN_OUT_OF_TIME',
      'COUNTERSIGN_HANDLER_FAILED',
    ]);
    expect(warnings[1]?.detail).toContain('had already been answered');
  });

  test('a refusal that the application did not cause is not reported', async () => {
    const refuse = { authenticate: () => false };
    const reasons: string[] = [];
    for (const [options, body] of [
      [{}, '{"id":"gull","state":1}'],
      [{}, '{"id":"gull"}'],
      [{}, 'no JSON'],
      [refuse, '{}'],
      [{ maxBodyBytes: 1 }, '{}'],
      [{ replayStore: { ...store, claim: () => 'busy' } }, '{"id":"gull","state":1}'],
    ] as const)
      reasons.push((await send(options, body)).reason);
    expect(new Set(reasons).size).toBe(reasons.length);
    expect(warnings).toEqual([]);
  });

  test('the kinds of a delivery with many events are named once', async () => {
    const ships = Array.from({ length: 1000 }, (_, id) => ({ id: String(id), state: 1 }));
    await send({ otherwise: { rest: fail } }, JSON.stringify({ ships }));
    expect(warnings[0]?.text).toBe('A handler failed for docked: RangeError [E_ACCOUNT]');
  });
});

describe('with `onEvent`', () => {
  test.each(rows([...withError, ...withoutError]))(
    'a failure of %s is a record and no warning',
    async (_what, options, _code, _text, body) => {
      const records: DeliveryRecord[] = [];
      const onEvent = (record: DeliveryRecord): unknown => records.push(record);
      await send({ ...options, onEvent }, body);
      expect(records).toHaveLength(1);
      expect(warnings).toEqual([]);
    },
  );

  test.each<readonly [string, () => unknown]>([
    ['throws', fail],
    ['rejects', failLater],
  ])('that %s, both failures are reported', async (_how, onEvent) => {
    expect((await send({ onEvent, otherwise: { rest: fail } })).status).toBe(500);
    await expect.poll(() => warnings).toHaveLength(2);
    expect(warnings.map(({ code }) => code)).toEqual([
      'COUNTERSIGN_LISTENER_FAILED',
      'COUNTERSIGN_HANDLER_FAILED',
    ]);
  });
});

test('a claim that cannot be released is recorded where another delivery has the next event', async () => {
  const records: DeliveryRecord[] = [];
  let claims = 0;
  const claim = (): string => (++claims === 1 ? 'claimed' : 'busy');
  const docked = { ...orderedKinds.kinds.get('docked'), dedupeBy: [{ body: ['id'] }] } as Kind;
  const kinds = new Map([...orderedKinds.kinds, ['docked', docked] as const]);
  const receive = createReceiver(
    { ...orderedKinds, kinds },
    {
      authenticate: unauthenticated(),
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
      replayStore: { ...store, claim, release: fail } as ReplayStore,
      onEvent: (record) => records.push(record),
    },
  );
  const outcome = await deliver(
    receive,
    '{"ships":[{"id":"gull","state":1},{"id":"tern","state":2}]}',
  );
  expect(outcome.reason).toBe('in-progress');
  expect(records).toMatchObject([{ detail: 'unreleased', error: { code: 'E_ACCOUNT' } }]);
});

describe('a body that other code has read', () => {
  test('from a Request is answered with 500, and one warning says what to do', async () => {
    const { receive, records } = createBareReceiver();
    const handle = toFetchHandler(receive);
    for (let count = 0; count < 2; count += 1) {
      const request = new Request('http://127.0.0.1/', { method: 'POST', body: '{}' });
      await request.text();
      expect((await handle(request)).status).toBe(500);
    }
    expect(records.map(({ reason }) => reason)).toEqual(['body-consumed', 'body-consumed']);
    expect(String(records[0]?.error)).toMatch(/receiver first, or pass request\.clone\(\)/);
    expect(warnings).toMatchObject([{ code: 'COUNTERSIGN_BODY_CONSUMED' }]);
    expect(warnings[0]?.detail).toMatch(/receiver first, or pass request\.clone\(\)/);
  });

  test('from Node is answered with 500, a warning, and what to do', async () => {
    const { receive, records } = createBareReceiver();
    await using served = await listen((request, response) => {
      request.resume().once('end', () => void toNodeHandler(receive)(request, response));
    });
    const url = `http://127.0.0.1:${served.port}`;
    const answer = await fetch(url, { method: 'POST', body: '{"a":1}' });
    expect(answer.status).toBe(500);
    expect(warnings).toMatchObject([{ code: 'COUNTERSIGN_BODY_CONSUMED' }]);
    expect(String(records[0]?.error)).toMatch(/before express\.json\(\)/);
  });

  test.each(['rawBody', 'body'])('and kept as %s is received from there', async (member) => {
    const { receive, bodies } = createBareReceiver();
    await using served = await listen((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        Object.assign(request, { [member]: Buffer.concat(chunks) });
        void toNodeHandler(receive)(request, response);
      });
    });
    const url = `http://127.0.0.1:${served.port}`;
    expect((await fetch(url, { method: 'POST', body: '{"a": 1}' })).status).toBe(200);
    expect(bodies).toEqual(['{"a": 1}']);
  });
});
