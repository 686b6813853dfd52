import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm run figures [-- file…]` records the sizes and counts that tests compare (`expectRecorded`). Review the diff of
 * `test/figures/recorded/`: it shows what a change costs.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const chosen = process.argv.slice(2);
const files = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
  /\bexpectRecorded\(/u.test(readFileSync(root + file, 'utf8')),
);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'vitest.all.config.ts',
    ...(chosen.length > 0 ? chosen : files),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, COUNTERSIGN_WRITE: '1' } },
);
process.exitCode = status ?? 1;
