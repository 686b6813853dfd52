import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { createInbox } from '@countersign/runtime/inbox';
import { commit, sqliteStore } from '@countersign/runtime/inbox/sqlite';
import {
  createWebhooks,
  receiverName,
  unauthenticated,
  type WebhookOptions,
} from '@instant-payment/webhooks';
import { deliver, type Deliveries } from '@instant-payment/webhooks/testing';
import { createWorker, type WorkerOptions } from '@instant-payment/webhooks/worker';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';

/** The generated receiver and the generated worker around one SQLite file. */
async function startApplication(options: { readonly deliveryIdentity?: 'same-content' } = {}) {
  const path = join(await temporaryFolder(), 'inbox.db');
  const store = sqliteStore(path);
  const inbox = createInbox({ store });
  const { fetch: receive } = createWebhooks({
    authenticate: unauthenticated(),
    inbox,
    ...options,
  } satisfies WebhookOptions);
  // The first call returns after the file exists.
  await store.stats();
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE booked (number INTEGER PRIMARY KEY, kind TEXT, subject TEXT)');
  onTestFinished(async () => {
    database.close();
    await store.close();
  });
  return {
    store,
    inbox,
    send: async (kind: keyof Deliveries, overrides: object = {}) =>
      await receive(await deliver(kind, overrides)),
    sendText: async (body: string) =>
      await receive(new Request('http://localhost/', { method: 'POST', body })),
    booked: () =>
      database
        .prepare('SELECT kind, subject FROM booked ORDER BY number')
        .all()
        .map(({ kind, subject }) => `${String(kind)} ${String(subject)}`),
  };
}

type Application = Awaited<ReturnType<typeof startApplication>>;

const book = (kind: string, subject: string) =>
  commit((database) =>
    database.prepare('INSERT INTO booked (kind, subject) VALUES (?, ?)').run(kind, subject),
  );

/** Runs the worker until no event is left to handle. */
async function work({ store, inbox }: Application): Promise<readonly string[]> {
  const reports: string[] = [];
  const worker = createWorker({
    inbox,
    on: {
      cashoutStageTwo: ({ kind, data }) => book(kind, data.Pix.txid),
      customer: async ({ kind, data }, { id }) => {
        await Promise.resolve();
        return book(`${kind} ${id.length > 0}`, data.protocolId);
      },
    },
    otherwise: {
      rest: ({ kind, form }) => {
        reports.push(`${kind} ${form}`);
      },
    },
    onInvalid: ({ reason, kinds }) => {
      reports.push(`${reason} ${kinds.join()}`);
      return reason === 'body' ? { accept: book('unreadable', '') } : undefined;
    },
    onDeadLetter: ({ error }) => reports.push(`dead ${(error as { code: string }).code}`),
  });
  await expect
    .poll(async () => (await store.stats()).depth, { timeout: 10_000, interval: 20 })
    .toBe(0);
  await worker.close();
  return reports;
}

test('the generated worker handles what the generated receiver stored, each effect with its event', async () => {
  const application = await startApplication();
  const body = { Pix: { txid: 'T1' } };
  expect((await application.send('customer')).status).toBe(200);
  expect((await application.send('cashoutStageOne', { body })).status).toBe(200);
  expect((await application.send('cashoutStageTwo', { body })).status).toBe(200);
  expect(application.booked()).toEqual([]);
  const reports = await work(application);
  expect(reports).toEqual(['cashoutStageOne canonical']);
  expect(application.booked()).toHaveLength(2);
  const { events } = await application.store.list();
  expect(events.map(({ kind, state }) => [kind, state])).toEqual([
    ['customer', 'done'],
    ['cashoutStageOne', 'done'],
    ['cashoutStageTwo', 'done'],
  ]);
  // Both stages of a cash-out have one key.
  expect(events.slice(1).map(({ orderKey }) => orderKey)).toEqual(
    Array(2).fill(`${receiverName} T1`),
  );
});

test('a delivery that violates the contract is stored, and is a dead letter unless it is accepted', async () => {
  const application = await startApplication();
  expect((await application.send('customer', { body: { protocolId: 7 } })).status).toBe(200);
  expect((await application.sendText('protocolId=7')).status).toBe(200);
  const reports = await work(application);
  expect(reports.toSorted()).toEqual(['body ', 'dead invalid-delivery', 'schema customer']);
  expect(application.booked()).toEqual(['unreadable ']);
  const dead = await application.store.list({ state: 'dead' });
  const violations = [
    { pointer: '/protocolId', keyword: 'type', message: expect.stringContaining('string') },
  ];
  expect(dead.events).toMatchObject([
    {
      verdict: 'invalid',
      attempts: 1,
      rejection: { reason: 'schema', kinds: ['customer'], violations },
    },
  ]);
});

test('limits by kind are those of the kinds of the contract', async () => {
  const { inbox, send, store } = await startApplication();
  await send('customer');
  const start = (kinds: NonNullable<WorkerOptions<object, undefined>['kinds']>) =>
    createWorker({
      inbox,
      on: {},
      otherwise: {
        rest: () => {
          throw new RangeError('The account was closed');
        },
      },
      onInvalid: () => undefined,
      onDeadLetter: () => undefined,
      kinds,
    });
  const unknown = { customer: {}, other: { concurrency: 1 } };
  expect(() => start(unknown)).toThrow(
    expect.objectContaining({ name: 'WebhookError', code: 'invalid-option' }),
  );
  const worker = start({ customer: { concurrency: 1, retry: { attempts: 1 } } });
  await expect.poll(async () => (await store.stats()).byState.dead).toBe(1);
  await worker.close();
  expect((await store.list()).events).toMatchObject([{ kind: 'customer', attempts: 1 }]);
});

test('an error that the application calls permanent is not tried again', async () => {
  const { inbox, send, store } = await startApplication();
  await send('customer');
  const buried = Promise.withResolvers<unknown>();
  const worker = createWorker({
    inbox,
    on: {},
    otherwise: {
      rest: () => {
        throw new RangeError('The account was closed');
      },
    },
    onInvalid: () => undefined,
    isPermanent: (error) => error instanceof RangeError,
    onDeadLetter: buried.resolve,
  });
  expect(await buried.promise).toMatchObject({ error: { message: 'The account was closed' } });
  await worker.close();
  expect((await store.list()).events).toMatchObject([{ state: 'dead', attempts: 1 }]);
});

test('handlers decide about their events, invalid ones included', async () => {
  const { inbox, send, sendText, store } = await startApplication();
  await send('cashoutStageOne');
  await send('cashoutStageTwo');
  await send('customer');
  await sendText('protocolId=7');
  const at = Date.now() + 86_400_000;
  const worker = createWorker({
    inbox,
    on: {
      cashoutStageOne: (_, { completeWithoutEffect }) => completeWithoutEffect(),
      cashoutStageTwo: (_, context) => context.deadLetter('The account is closed'),
      customer: async (_, { retryAt, extendTimeout }) => {
        extendTimeout(120_000);
        await Promise.resolve();
        return retryAt(new Date(at), 'The register is closed');
      },
    },
    otherwise: { rest: () => undefined },
    onInvalid: (_, { deadLetter }) => deadLetter('The sender no longer exists'),
    onDeadLetter: () => undefined,
    onEvent: () => undefined,
  });
  await expect
    .poll(async () => {
      const { ready, waiting, working } = (await store.stats()).byState;
      return ready + waiting + working;
    })
    .toBe(0);
  await worker.close();
  expect((await store.list()).events).toMatchObject([
    { kind: 'cashoutStageOne', state: 'done', attempts: 0 },
    { kind: 'cashoutStageTwo', state: 'dead', attempts: 1, error: 'The account is closed' },
    { kind: 'customer', state: 'retry', retryAt: at, error: 'The register is closed' },
    {
      state: 'dead',
      attempts: 1,
      error: 'The sender no longer exists',
      rejection: { reason: 'body' },
    },
  ]);
});

test('the answer about identity decides what is a duplicate', async () => {
  const application = await startApplication({ deliveryIdentity: 'same-content' });
  for (let time = 0; time < 3; time++)
    expect((await application.send('cashoutStageTwo')).status).toBe(200);
  await work(application);
  expect(application.booked()).toHaveLength(1);
  expect((await application.store.stats()).duplicates).toBe(2);
});

test('nothing is acknowledged where the inbox is closed', async () => {
  const application = await startApplication();
  await application.store.close();
  expect((await application.send('customer')).status).toBe(503);
});

test('each element of an array is an event with an order of its own', async () => {
  const application = await startApplication();
  const response = await application.send('cashoutStageTwo', { example: 'array-of-two' });
  expect(response.status).toBe(200);
  const { events } = await application.store.list();
  expect(events).toHaveLength(2);
  await work(application);
  expect(application.booked()).toHaveLength(2);
});
