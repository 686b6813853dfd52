import { setTimeout as delay } from 'node:timers/promises';
import { createWorker } from '@countersign/runtime/inbox';
import { afterAll, expect, test } from 'vitest';
import { startPostgres } from '../replay/postgres-server.ts';
import { receipt } from '../store-harness.ts';
import { openPostgres } from './postgres-harness.ts';

const server = await startPostgres();
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const clock = Date.now;
const keys = 12;
const kills = 6;
/** Times at which all connections are ended, between two kills. */
const storms = 7;

test.skipIf(server?.control === undefined)(
  `${kills} kills of the server and ${kills * storms} storms of ended connections lose, repeat, reorder and bury nothing`,
  { timeout: 300_000 },
  async ({ annotate }) => {
    const { url = '', control } = server ?? {};
    await using harness = await openPostgres(url, { clock });
    const { admin, store } = harness;
    const buried: unknown[] = [];
    const workers = [harness.another(), harness.another()].map((store) =>
      createWorker({
        store,
        leaseMs: 2000,
        pollIntervalMs: 20,
        retry: { firstDelayMs: 20, factor: 1, attempts: 1000 },
        handle: async ({ kind = '' }, scope) => await harness.effect(kind)(scope),
        onEvent: () => undefined,
        onDeadLetter: (letter) => buried.push(letter),
        onError: () => undefined,
      }),
    );

    /** Sends a delivery until it is acknowledged, and once more, as senders do. */
    async function send(orderKey: string, kind: string): Promise<void> {
      for (let acknowledged = 0; acknowledged < 2;)
        try {
          await store.receive({
            ...receipt({ kind, orderKey, identity: kind }),
            receivedAt: clock(),
          });
          acknowledged += 1;
        } catch {
          await delay(20);
        }
    }

    const progress = { sending: true };
    const sender = async (_: unknown, key: number): Promise<number> => {
      let number = 0;
      while (progress.sending) {
        await send(`key ${key}`, `${key} ${number}`);
        number += 1;
        await delay(5);
      }
      return number;
    };
    const sending = Promise.all(Array.from({ length: keys }, sender));
    for (let round = 0; round < kills; round += 1) {
      for (let storm = 0; storm < storms; storm += 1) {
        await delay(150);
        await admin
          .query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
          )
          .catch(() => undefined);
      }
      await delay(300);
      await control?.kill();
      await control?.start();
    }
    progress.sending = false;
    const sent = await sending;

    const expected = sent.flatMap((count, key) =>
      Array.from({ length: count }, (_, number) => `${key} ${number}`),
    );
    await expect
      .poll(async () => (await store.stats()).byState, { timeout: 120_000, interval: 200 })
      .toMatchObject({ done: expected.length, dead: 0, retry: 0, waiting: 0, working: 0 });
    await Promise.all(workers.map(async (worker) => await worker.close()));
    const { interruptions, duplicates } = await store.stats();
    await annotate(
      `${expected.length} events, ${duplicates} repetitions, ${interruptions} interruptions`,
    );
    const effects = await harness.effects();
    expect(expected).not.toEqual([]);
    for (const key of sent.keys())
      expect(effects.filter((value) => value.startsWith(`${key} `))).toEqual(
        expected.filter((value) => value.startsWith(`${key} `)),
      );
    expect(effects).toHaveLength(expected.length);
    expect(buried).toEqual([]);
  },
);
