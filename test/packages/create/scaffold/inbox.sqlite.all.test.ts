import { rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { sqliteStore } from '@countersign/runtime/inbox/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectGracefulStop, sendCharge, slowDown, startSlow } from './graceful-stop.ts';
import { expectEffectsOnce, expectToWork } from './inbox-application.ts';
import { createApplicationFolder, scaffoldOwn } from './own-contract.ts';

let folder = '';
let application = '';

beforeAll(async () => {
  folder = await createApplicationFolder();
  application = await scaffoldOwn(folder, ['express', 'receiver', '--inbox', 'sqlite']);
});

afterAll(() => rm(folder, { recursive: true }));

describe('an application with an inbox in SQLite', () => {
  it('type-checks, acknowledges every example, and its worker handles each event once', async () => {
    await expectToWork(application);
  });

  it('ends at a signal when the running handler has ended, and at a second one at once', async () => {
    await slowDown(application, 1500);
    const file = join(folder, 'stopped.db');
    await expectGracefulStop(application, 'src/dev.ts', 'SIGTERM', { INBOX_FILE: file });
    const store = sqliteStore(file);
    expect((await store.stats()).byState).toMatchObject({ done: 1, ready: 0, working: 0 });
    await store.close();

    await slowDown(application, 60_000);
    const running = await startSlow(application, 'src/dev.ts', { INBOX_FILE: file });
    expect(await sendCharge(running.url, new Agent())).toBe(200);
    await expect.poll(running.log, { timeout: 10_000 }).toContain('begins');
    running.signal('SIGTERM');
    await sleep(700);
    running.signal('SIGTERM');
    expect(await running.exitCode).toBe(1);
    expect(running.log()).not.toContain('ends');
  });

  it('keeps what it acknowledged while no worker runs, and applies an effect once although workers are killed', async () => {
    const file = join(folder, 'inbox.db');
    const store = sqliteStore(file);
    // The first call returns after the file exists.
    await store.stats();
    await store.close();
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE booked (event TEXT)');
    const count = database.prepare('SELECT count(event), count(DISTINCT event) FROM booked');
    count.setReturnArrays(true);
    await expectEffectsOnce(application, { INBOX_FILE: file }, slowCharge, async () => {
      const [rows, events] = count.get() as unknown as readonly [number, number];
      return await Promise.resolve({ rows, events });
    });
    database.close();
  });
});

/** A handler whose effect is in the file of the inbox. */
const slowCharge = `import { setTimeout } from 'node:timers/promises';
import { commit, type Commit } from '@countersign/runtime/inbox/sqlite';
import type { ChargeEvent } from '@instant-payment/webhooks';
import type { EventContext } from '@instant-payment/webhooks/worker';

export async function onCharge(_event: ChargeEvent, context: EventContext): Promise<Commit> {
  console.log('begins', context.id);
  await setTimeout(100);
  return commit((database) => {
    database.prepare('INSERT INTO booked (event) VALUES (?)').run(context.id);
  });
}
`;
