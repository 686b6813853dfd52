import { existsSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

// Removes a folder as soon as the process that started this one has ended, or says that it is done. Its signals are not
// for this process.
const [, , folder = ''] = process.argv;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
await text(process.stdin);
// Processes that the run started can still be writing.
for (let tries = 0; existsSync(folder) && tries < 100; tries++) {
  if (tries > 0) await sleep(100);
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The next try may succeed.
  }
}
