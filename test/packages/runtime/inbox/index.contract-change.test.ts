import { createInbox, type InboxEvent } from '@countersign/runtime/inbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateShips, type ShipRelease } from './ship-contract.ts';
import { openSqlite, type SqliteHarness } from './sqlite/sqlite-harness.ts';

let older: ShipRelease;
let newer: ShipRelease;

beforeAll(async () => {
  older = await generateShips('older');
  newer = await generateShips('newer');
});
afterAll(async () => {
  await older[Symbol.asyncDispose]();
  await newer[Symbol.asyncDispose]();
});

const docked = (ship: object) => ({ type: 'docked', Ship: { id: 'gull', length: 30, ...ship } });
const sailed = { type: 'sailed', id: 'gull' };

const deliveries: readonly object[] = [
  docked({ berth: 'B1' }),
  docked({ quay: 'Q1' }),
  docked({ id: 'tern', length: 300 }),
  sailed,
  {
    type: 'docked',
    ships: [
      { id: 'skua', length: 20 },
      { id: 'auk', length: 21 },
    ],
  },
];

/** Lets the receiver of a release store every delivery. */
async function receiveAll(
  { createWebhooks, unauthenticated }: ShipRelease,
  { store }: SqliteHarness,
): Promise<readonly InboxEvent[]> {
  const { fetch } = createWebhooks({
    authenticate: unauthenticated(),
    inbox: createInbox({ store }),
  });
  for (const delivery of deliveries) {
    const body = JSON.stringify(delivery);
    const response = await fetch(new Request('http://localhost/ships', { method: 'POST', body }));
    expect(response.status).toBe(200);
  }
  return (await store.list()).events;
}

interface ShipEvent {
  readonly kind: string | null;
  readonly data: unknown;
}

/** Lets the worker of a release handle what is stored. Each event is an effect. Returns the dead letters. */
async function handleAll(
  { createWorker }: ShipRelease,
  { store, effect }: SqliteHarness,
): Promise<readonly string[]> {
  const dead: string[] = [];
  const worker = createWorker({
    inbox: { store },
    on: {},
    otherwise: {
      rest: async ({ kind, data }: ShipEvent) => await effect(JSON.stringify({ kind, data }))({}),
    },
    onInvalid: () => undefined,
    onDeadLetter: ({ error }: { readonly error: { readonly code: string } }) =>
      dead.push(error.code),
  });
  await expect
    .poll(async () => (await store.stats()).depth, { timeout: 10_000, interval: 20 })
    .toBe(0);
  await worker.close();
  return dead;
}

/** What the newer worker does for each delivery. */
const effectsOfNewer = [
  { kind: 'shipDocked', data: docked({ berth: 'B1' }) },
  { kind: 'shipDocked', data: docked({ quay: 'Q1' }) },
  { kind: 'shipDocked', data: docked({ id: 'tern', length: 300 }) },
  { kind: 'shipSailed', data: sailed },
  { kind: 'shipDocked', data: docked({ id: 'skua', length: 20 }) },
  { kind: 'shipDocked', data: docked({ id: 'auk', length: 21 }) },
].map((delivery) => JSON.stringify(delivery));

test('a newer worker handles what an older receiver stored, as the newer contract reads it', async () => {
  await using harness = await openSqlite();
  const events = await receiveAll(older, harness);
  expect(events.map(({ kind, verdict, count }) => [kind, verdict, count])).toEqual([
    ['shipDocked', 'valid', 1],
    ['shipDocked', 'valid', 1],
    [undefined, 'invalid', 1],
    [undefined, 'invalid', 1],
    [undefined, 'invalid', 1],
  ]);
  expect(await handleAll(newer, harness)).toEqual([]);
  expect((await harness.effects()).toSorted()).toEqual(effectsOfNewer.toSorted());
});

test('what an older worker cannot handle after a rollback waits for the newer one', async () => {
  await using harness = await openSqlite();
  const events = await receiveAll(newer, harness);
  expect(events.map(({ kind, verdict, count }) => [kind, verdict, count])).toEqual([
    ['shipDocked', 'valid', 1],
    ['shipDocked', 'valid', 1],
    ['shipDocked', 'valid', 1],
    ['shipSailed', 'valid', 1],
    ['shipDocked', 'valid', 2],
    ['shipDocked', 'valid', 2],
  ]);
  const dead = await handleAll(older, harness);
  expect(dead.toSorted()).toEqual([
    'changed-events',
    'changed-events',
    'invalid-delivery',
    'invalid-delivery',
  ]);
  expect(await harness.effects()).toEqual(effectsOfNewer.slice(0, 2));

  expect(await harness.store.retry({ state: 'dead' }, 'operator')).toBe(4);
  expect(await handleAll(newer, harness)).toEqual([]);
  expect((await harness.effects()).toSorted()).toEqual(effectsOfNewer.toSorted());
});
