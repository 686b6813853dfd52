import { appendFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createInbox, createProbes } from '@countersign/runtime/inbox';
import { openApplication } from './booking-application.ts';

// Fills the disk of the inbox while it receives and handles deliveries, then makes space. Prints what happened.
const [path = ''] = process.argv.slice(2);
const filler = join(dirname(path), 'filler');
const block = Buffer.alloc(4096);

await using application = await openApplication(path);
const worker = application.work();
const statuses: Record<string, number[]> = {};
const send = async (name: string, subjects: readonly number[]): Promise<void> => {
  statuses[name] = await Promise.all(subjects.map(application.send));
};

await send('before', [1, 2, 3]);
try {
  for (;;) appendFileSync(filler, block);
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
}
const probes = createProbes(createInbox({ store: application.store }));
const ready: number[] = [];
const during = Array.from({ length: 20 }, (_, index) => index + 4);
await send('during', during);
await delay(300);
ready.push((await probes.answer('GET', '/ready')).status);
rmSync(filler);
const refused = during.filter((_, index) => statuses['during']?.[index] !== 200);
ready.push((await probes.answer('GET', '/ready')).status);
await send('after', [...refused, 24]);
while ((await application.store.stats()).depth > 0) await delay(20);
await worker.close();
const codes = application.errors.map((error) => (error as { readonly code: unknown }).code);
const { byState } = await application.store.stats();
console.log(
  JSON.stringify({
    statuses,
    ready,
    codes: [...new Set(codes)],
    byState,
    booked: application.booked(),
  }),
);
