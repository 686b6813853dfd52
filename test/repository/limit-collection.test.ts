import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

it('ends the run when a test file waits for ever at its top level', async () => {
  const folder = await temporaryFolder();
  const setup = join(repository, 'test/limit-collection.ts');
  await writeFile(
    join(folder, 'waiting.test.ts'),
    `import { it } from ${JSON.stringify(pathToFileURL(join(repository, 'node_modules/vitest/dist/index.js')).href)};
setInterval(() => undefined, 1000);
await new Promise(() => undefined);
it('is never known', () => undefined);
`,
  );
  await writeFile(
    join(folder, 'vitest.config.mjs'),
    `export default { test: { setupFiles: [${JSON.stringify(setup)}] } };`,
  );
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--root', folder], {
    cwd: folder,
    env: { ...process.env, COUNTERSIGN_COLLECTION_MS: '1000' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  expect({ code, out: out + error }).toMatchObject({ code: 1 });
  expect(out + error).toContain('waits for longer than 1 s at its top level');
});
