import { createInbox } from '@countersign/runtime/inbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateParcels, type Parcels } from '../webhooks/parcel-contract.ts';
import { openSqlite, type SqliteHarness } from './sqlite/sqlite-harness.ts';

let parcels: Parcels;

beforeAll(async () => {
  parcels = await generateParcels();
});
afterAll(() => parcels[Symbol.asyncDispose]());

const parcel = (id: string, more: object = {}): object => ({
  id,
  route: 'R1',
  label: 'fragile',
  weight: 2,
  ...more,
});
const moved = (id: string, more: object = {}): object => ({
  type: 'moved',
  Parcel: parcel(id, more),
});

/** A parcel as the array form names its members. */
const listed = (id: string, more: object = {}): object => ({
  ...parcel(id, more),
  label: undefined,
  caption: 'fragile',
});

async function receive({ store }: SqliteHarness, ...bodies: readonly object[]): Promise<void> {
  const { createWebhooks, unauthenticated } = parcels.main;
  const { fetch } = createWebhooks({
    authenticate: unauthenticated(),
    inbox: createInbox({ store }),
  });
  for (const delivery of bodies) {
    const body = JSON.stringify(delivery);
    const response = await fetch(new Request('http://localhost/parcels', { method: 'POST', body }));
    expect(response.status).toBe(200);
  }
}

interface ParcelEvent {
  readonly data: { readonly Parcel: { readonly id: string } };
}

/** Lets a worker handle what is stored. Each event is an effect. Returns the codes and the messages of dead letters. */
async function handleAll({ store, effect }: SqliteHarness): Promise<readonly string[]> {
  const dead: string[] = [];
  const effectOf =
    (by: string) =>
    async ({ data }: ParcelEvent): Promise<unknown> =>
      await effect(`${by} ${data.Parcel.id}`)({});
  const worker = parcels.createWorker({
    inbox: { store },
    on: {},
    otherwise: { rest: effectOf('on') },
    onInvalid: () => undefined,
    deviations: parcels.handOver({ parcelMoved: effectOf('deviations') }),
    onDeadLetter: ({ error }: { readonly error: { readonly code: string; message: string } }) =>
      dead.push(error.code, error.message),
  });
  await expect
    .poll(async () => (await store.stats()).depth, { timeout: 10_000, interval: 20 })
    .toBe(0);
  await worker.close();
  return dead;
}

test('a worker hands each deviating event over once, with its effect, beside the valid ones', async () => {
  await using harness = await openSqlite();
  await receive(
    harness,
    moved('P1', { label: true }),
    moved('P1'),
    moved('P5', { label: true }),
    moved('P5', { label: true }),
    moved('P2', { weight: '2', route: 'R2' }),
    { type: 'moved', parcels: [listed('P3'), listed('P4', { tags: [true] })] },
  );
  const { receiverName } = parcels.main as typeof parcels.main & { readonly receiverName: string };
  const keyOf = (route: string): string => `${receiverName} ${route}`;
  const { events } = await harness.store.list();
  expect(events.map(({ kind, orderKey, verdict }) => [kind, orderKey, verdict])).toEqual([
    [undefined, keyOf('R1'), 'invalid'],
    ['parcelMoved', keyOf('R1'), 'valid'],
    // The repetition of an invalid delivery has its identity.
    [undefined, keyOf('R1'), 'invalid'],
    [undefined, keyOf('R2'), 'invalid'],
    [undefined, undefined, 'invalid'],
  ]);
  expect(await handleAll(harness)).toEqual([
    'invalid-delivery',
    expect.stringMatching(/It was not handed over: `touches-number`\.$/u),
  ]);
  expect((await harness.effects()).toSorted()).toEqual([
    'deviations P4',
    'deviations P5',
    'on P1',
    'on P3',
  ]);
});
