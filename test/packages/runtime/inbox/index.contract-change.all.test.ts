import { setTimeout as delay } from 'node:timers/promises';
import { createInbox } from '@countersign/runtime/inbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from './postgres/postgres-harness.ts';
import { startPostgres } from './replay/postgres-server.ts';
import { generateShips, type ShipRelease } from './ship-contract.ts';
import { openSqlite } from './sqlite/sqlite-harness.ts';
import type { StoreHarness } from './store-harness.ts';

const server = await startPostgres();
let older: ShipRelease;
let newer: ShipRelease;

beforeAll(async () => {
  older = await generateShips('older');
  newer = await generateShips('newer');
});
afterAll(async () => {
  await older[Symbol.asyncDispose]();
  await newer[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const clock = Date.now;
const ships = 60;

interface ShipEvent {
  readonly kind: string | null;
  readonly data: { readonly id?: string; readonly Ship?: { readonly id: string } };
}

/** Lets receivers and workers of both versions share a store, as during a deployment, and an operator retry. */
async function checkDeployment<Scope, Result>(harness: StoreHarness<Scope, Result>): Promise<void> {
  const { store } = harness;
  const receivers = [older, newer].map(({ createWebhooks, unauthenticated }) =>
    createWebhooks({
      authenticate: unauthenticated(),
      inbox: createInbox({ store: harness.another() }),
    }),
  );
  const start = ({ createWorker }: ShipRelease): ReturnType<typeof createWorker> =>
    createWorker({
      inbox: { store: harness.another() },
      on: {},
      otherwise: {
        rest: async ({ kind, data }: ShipEvent, scope: Scope) =>
          await harness.effect(`${kind} ${data.Ship?.id ?? data.id}`)(scope),
      },
      onInvalid: () => undefined,
      onDeadLetter: () => undefined,
    });
  const [first, second] = [start(older), start(newer)];
  const progress = { sending: true };
  const operate = async (): Promise<void> => {
    while (progress.sending) {
      await store.retry({ state: 'dead' }, 'ana');
      await delay(50);
    }
  };
  const operating = operate();
  const expected: string[] = [];
  for (let ship = 0; ship < ships; ship += 1) {
    // The older version knows no ships above 100 metres, and no departures.
    const length = ship % 3 === 0 ? 300 : 30;
    const deliveries = [
      { type: 'docked', Ship: { id: `ship${ship}`, length } },
      { type: 'sailed', id: `ship${ship}` },
    ];
    expected.push(`shipDocked ship${ship}`, `shipSailed ship${ship}`);
    // Each delivery is repeated, and both versions get it.
    await Promise.all(
      [...deliveries, ...deliveries].flatMap((delivery) =>
        receivers.map(async ({ fetch }) => {
          const request = { method: 'POST', body: JSON.stringify(delivery) };
          const response = await fetch(new Request('http://localhost/ships', request));
          expect(response.status).toBe(200);
        }),
      ),
    );
  }
  progress.sending = false;
  await operating;
  // The deployment ends.
  await first.close();
  await store.retry({ state: 'dead' }, 'ana');
  await expect
    .poll(async () => (await store.stats()).byState, { timeout: 60_000, interval: 50 })
    .toMatchObject({ ready: 0, waiting: 0, retry: 0, working: 0, dead: 0 });
  await second.close();
  expect((await harness.effects()).toSorted()).toEqual(expected.toSorted());
}

describe('two versions of a contract share a store: nothing is lost or repeated', () => {
  test('SQLite', { timeout: 120_000 }, async () => {
    await using harness = await openSqlite({ clock });
    await checkDeployment(harness);
  });

  test.skipIf(server === undefined)('Postgres', { timeout: 120_000 }, async () => {
    await using harness = await openPostgres(server?.url ?? '', { clock });
    await checkDeployment(harness);
  });
});
