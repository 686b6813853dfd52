import { rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { deliver } from '@instant-payment/webhooks/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectToWork, replaceIn, startWorker } from './inbox-application.ts';
import { createApplicationFolder, scaffoldOwn } from './own-contract.ts';
import { freePort, startApplication } from './start-application.ts';

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

  it('keeps what it acknowledged while no worker runs, and applies an effect once although workers are killed', async () => {
    await writeFile(join(application, 'src/handlers/charge.ts'), slowCharge);
    await replaceIn(application, 'src/worker.ts', '  inbox,\n', '  inbox,\n  leaseMs: 1000,\n');
    const file = join(folder, 'inbox.db');
    const environment = { WEBHOOK_SECRET: 'a secret', INBOX_FILE: file };
    const port = String(await freePort());
    const receiver = await startApplication(application, { ...environment, PORT: port });
    const count = 12;
    for (let index = 0; index < count; index++) {
      const headers = { 'x-webhook-secret': 'a secret' };
      const response = await fetch(await deliver('charge', { url: receiver.url, headers }));
      expect(response.status).toBe(200);
    }
    await receiver.stop();

    const database = new DatabaseSync(file);
    const numberOf = (what: string): unknown =>
      Object.values(database.prepare(`SELECT count(*) FROM ${what}`).get() ?? {})[0];
    database.exec('CREATE TABLE booked (event TEXT)');
    const killed = await startWorker(application, environment);
    await expect.poll(() => killed.log(), { timeout: 30_000 }).toContain('begins');
    killed.process.kill('SIGKILL');
    await killed.exited;
    expect(numberOf('booked')).toBeLessThan(count);

    const worker = await startWorker(application, environment);
    await expect.poll(() => numberOf('booked'), { timeout: 30_000 }).toBe(count);
    worker.process.kill('SIGTERM');
    expect(await worker.exited).toEqual([0, null]);
    expect(numberOf('(SELECT DISTINCT event FROM booked)')).toBe(count);
    const begun = (killed.log() + worker.log()).match(/begins/gu) ?? [];
    expect(begun.length).toBeGreaterThan(count);
    database.close();
  });
});

/** A handler whose effect is in the file of the inbox. */
const slowCharge = `import { setTimeout } from 'node:timers/promises';
import { commit, type Commit } from '@countersign/inbox/sqlite';
import type { ChargeEvent } from '@instant-payment/webhooks';
import type { EventContext } from '@instant-payment/webhooks/worker';

export async function onCharge(_event: ChargeEvent, context: EventContext): Promise<Commit> {
  console.log('begins', context.eventId);
  await setTimeout(100);
  return commit((database) => {
    database.prepare('INSERT INTO booked (event) VALUES (?)').run(context.eventId);
  });
}
`;
