import { existsSync, globSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

// Removes a folder as soon as the process that started this one has ended, or says that it is done, and the further ones
// that this process names, a line each. Its signals are not for this process.
const [, , first = ''] = process.argv;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
const further = (await text(process.stdin)).split('\n').filter((line) => line !== '');
for (const folder of [first, ...further]) {
  for (const file of globSync('{,*/}data/postmaster.pid', { cwd: folder }))
    endPostgres(join(folder, file));
  await remove(folder);
}

/** Ends the server of Postgres that wrote a file with the number of its process, unless another process has the number. */
function endPostgres(file: string): void {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    const isServer =
      process.platform !== 'linux' || readlinkSync(`/proc/${pid}/cwd`) === join(file, '..');
    if (isServer) process.kill(pid, 'SIGQUIT');
  } catch {
    // It has ended.
  }
}

async function remove(folder: string): Promise<void> {
  // Processes that the run started can still be writing.
  for (let tries = 0; existsSync(folder) && tries < 100; tries++) {
    if (tries > 0) await sleep(100);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The next try may succeed.
    }
  }
}
