import { readdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run golden`: writes the expected tree of every golden case anew, for a reviewer to read. */
const golden = fileURLToPath(new URL('.', import.meta.url));
const cli = fileURLToPath(new URL('../../generator/cli.ts', import.meta.url));
for (const entry of readdirSync(golden, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue;
  const folder = join(golden, entry.name);
  rmSync(join(folder, 'expected'), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [cli, 'generate'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
