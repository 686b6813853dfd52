import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  createReceiver,
  unauthenticated,
  WebhookError,
  type DeliveryContext,
  type IncomingRequest,
  type MaybePromise,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { createBareReceiver, withoutKinds } from './bare-receiver.ts';

const bytes = new TextEncoder().encode('{"a":1}');

function request(
  read: IncomingRequest['read'] = () => bytes,
  more: Partial<IncomingRequest> = {},
): IncomingRequest {
  return { method: 'POST', target: '/', headers: () => [], read, ...more };
}

/** A promise of another library. */
function foreign<T>(value: T): Promise<T> {
  // oxlint-disable-next-line unicorn/no-thenable -- that is what it is
  const thenable = { then: (resolve: (value: T) => unknown) => void setTimeout(resolve, 1, value) };
  return thenable as never;
}

describe('a receiver', () => {
  test.each<readonly [string, () => MaybePromise<Uint8Array>, string]>([
    ['at once', () => bytes, 'unidentified'],
    ['later', async () => await sleep(1, bytes), 'unidentified'],
    ['at once, and is too long', () => new Uint8Array(11), 'too-large'],
    ['later, and is too long', async () => await sleep(1, new Uint8Array(11)), 'too-large'],
    ['by an error at once', () => fail(new WebhookError('too-large', 'It is.')), 'too-large'],
    ['by an error later', async () => fail(new WebhookError('too-large', 'It is.')), 'too-large'],
    ['by another error at once', () => fail(new Error('It broke off.')), 'unreadable'],
    ['by another error later', async () => fail(new Error('It broke off.')), 'unreadable'],
    ['never', () => new Promise(() => undefined), 'too-slow'],
  ])('answers a body that comes %s', async (_how, read, reason) => {
    const { receive } = createBareReceiver({ maxBodyBytes: 10, readTimeoutMs: 20 });
    expect((await receive(request(read))).reason).toBe(reason);
  });

  test.each([true, false])('takes promises of other libraries for promises (%s)', async (ok) => {
    const { receive, records } = createBareReceiver({
      authenticate: () => foreign(ok),
      otherwise: () => foreign('done'),
      handlerTimeoutMs: 1000,
    });
    const { reason } = await receive(request(() => foreign(bytes)));
    expect([reason, records.length]).toEqual([ok ? 'unidentified' : 'unauthentic', 1]);
  });

  test('tells a platform of work that continues, which never fails, and records how it ended', async () => {
    const works: Promise<unknown>[] = [];
    const { receive, records } = createBareReceiver({
      handlerTimeoutMs: 10,
      otherwise: async () => {
        await sleep(30);
        throw new Error('The directory is down.');
      },
    });
    const waitUntil = (work: Promise<unknown>): void => void works.push(work);
    expect((await receive(request(undefined, { waitUntil }))).reason).toBe('out-of-time');
    await Promise.all(works);
    expect(works.length).toBe(1);
    expect(records.map(({ reason, late, status }) => [reason, late, status])).toEqual([
      ['out-of-time', undefined, 503],
      ['handler-failed', true, 503],
    ]);
    expect(String(records[1]?.error)).toBe('Error: The directory is down.');
  });

  test('records that a handler succeeded after its time', async () => {
    const { receive, records } = createBareReceiver({
      handlerTimeoutMs: 10,
      otherwise: async () => await sleep(30),
    });
    await receive(request());
    await expect.poll(() => records.length).toBe(2);
    expect(records.map(({ reason, late }) => [reason, late])).toEqual([
      ['out-of-time', undefined],
      ['unidentified', true],
    ]);
  });

  test('shows a signal that is aborted to whom asks for it after the time', async () => {
    const contexts: DeliveryContext[] = [];
    const { receive } = createBareReceiver({
      handlerTimeoutMs: 10,
      otherwise: async (_event, context) => {
        contexts.push(context);
        await sleep(20);
      },
    });
    await receive(request());
    expect(contexts.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  test('leaves a signal as it is where everything was done in time', async () => {
    const contexts: DeliveryContext[] = [];
    const otherwise = (_event: unknown, context: DeliveryContext): void => {
      contexts.push(context);
    };
    const { receive } = createBareReceiver({ otherwise });
    await receive(request());
    expect(contexts.map(({ signal }) => signal.aborted)).toEqual([false]);
  });
});

describe('options are checked when the receiver is made', () => {
  const numbers = [
    'maxBodyBytes',
    'readTimeoutMs',
    'authenticationTimeoutMs',
    'storeTimeoutMs',
    'handlerTimeoutMs',
    'leaseMs',
    'maxDepth',
  ];
  const wrong = [0, -1, Number.NaN, Infinity, 2 ** 31, '5', '5s', true, {}];
  test.each([
    ...numbers.flatMap((name) => wrong.map((value) => [name, value] as const)),
    ['authenticate', true],
    ['onInvalid', undefined],
    ['otherwise', {}],
    ['otherwise', undefined],
    ['on', undefined],
    ['onEvent', 'log'],
    ['clock', 5],
    ['mount', 'hook'],
    ['mount', 5],
    ['numbers', 'round'],
    ['numbers', undefined, { strict: false, numbers: 'text' }],
    ['leaseMs', 10_000],
    ['leaseMs', undefined, { handlerTimeoutMs: 300_000 }],
    ['leaseMs', undefined, { handlerTimeoutMs: 2000, leaseMs: 1000 }],
  ] as const)('%s: %j %j', (name, value, options: object = {}) => {
    const make = (): unknown => createBareReceiver({ [name]: value, ...options });
    expect(make).toThrow(WebhookError);
    expect(make).toThrow(name);
    expect(make).toThrow(expect.objectContaining({ code: 'invalid-option' }));
  });

  const handle = (): undefined => undefined;
  test.each([
    [{ otherwise: undefined }, '`otherwise` is missing'],
    [{ otherwise: {} }, '`otherwise` must be a function'],
    [{ otherwise: { rest: 5 } }, '`otherwise` must be a function'],
    [{ onInvalid: undefined }, '`onInvalid` is missing'],
    [{ on: { issueOpened: handle } }, '`on` names issueOpened, which is not a kind'],
    [{ on: { issueOpened: handle }, otherwise: undefined }, '`on` names issueOpened,'],
  ] as const)('says what is wrong with %j', (options, says) => {
    expect(() => createBareReceiver(options as object)).toThrow(says);
  });

  const catalogue = {
    ...withoutKinds,
    kinds: new Map([['issuesOpened', { check: { accepts: () => true, violations: () => [] } }]]),
  };
  test.each([
    [
      { on: { issueOpened: handle } },
      '`on` names issueOpened, which is not a kind of the contract',
    ],
    [
      { on: { issueOpened: handle }, otherwise: { rest: handle } },
      '`on` names issueOpened, which is not a kind of the contract',
    ],
    [{ on: {} }, '`on.issuesOpened` is missing'],
    [{ on: { issuesOpened: 'log' } }, '`on.issuesOpened` must be a function'],
  ] as const)('a misspelled handler is named before one that is missing: %j', (options, says) => {
    const base = { authenticate: unauthenticated(), otherwise: handle, onInvalid: handle };
    expect(() => createReceiver(catalogue, { ...base, ...options } as never)).toThrow(says);
  });

  test('a lease that is longer than the time limit is accepted', () => {
    expect(() => createBareReceiver({ leaseMs: 10_001 })).not.toThrow();
    const longer = { handlerTimeoutMs: 400_000, leaseMs: 400_001 };
    expect(() => createBareReceiver(longer)).not.toThrow();
  });

  test.each([{}, { claim: () => 'claimed' }, { claim: 1, confirm: 1, release: 1 }])(
    'a replay store that is %j',
    (replayStore) => {
      expect(() => createBareReceiver({ replayStore } as object)).toThrow(
        /`\w+` (?:is missing|must be a function)/,
      );
    },
  );
});

function fail(error: Error): never {
  throw error;
}
