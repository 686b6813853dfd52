import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countRun } from '../../../bench/compare/count-run.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';

const revision = {
  name: 'none',
  root: '.',
  flags: [],
  cli: '',
  config: { contract: {}, output: '', targets: [], scope: '@a' },
};

test('a run has the libraries of each thread, and each call of node:fs, however it is imported', async () => {
  const folder = await temporaryFolder();
  const library = join(import.meta.dirname, '../../../node_modules');
  await writeFile(
    join(folder, 'thread.mjs'),
    `import { existsSync } from 'node:fs';
import ${JSON.stringify(join(library, 'leven/index.js'))};
existsSync('a');
setInterval(() => undefined, 1000);
postMessage('ready');
`.replace('postMessage', '(await import("node:worker_threads")).parentPort.postMessage'),
  );
  await writeFile(
    join(folder, 'main.mjs'),
    `import { writeFile } from 'node:fs/promises';
import fs, { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import ${JSON.stringify(join(library, 'picomatch/index.js'))};
await writeFile('out', 'text');
readFileSync('out');
fs.mkdirSync('folder');
const worker = new Worker(new URL('./thread.mjs', import.meta.url));
await new Promise((resolve) => worker.once('message', resolve));
await worker.terminate();
function three() {}
for (let count = 0; count < 3; count += 1) three();
`,
  );
  const run = { cwd: folder, words: ['main.mjs'], output: 'folder', before: () => undefined };
  const counts = countRun(revision, run, false);
  expect(counts).toMatchObject({
    'libraries that the main thread loads': ['picomatch'],
    threads: 1,
    // That of the promise, too.
    'calls of own functions, main thread': 4,
    'libraries that the threads load': ['leven'],
    'files written': 1,
    'other changes of files': 1,
    'files of the output': 0,
  });
  expect(counts['files and folders read']).toBeGreaterThanOrEqual(1);
});

test('a run that fails is an error with what it printed', async () => {
  const cwd = await temporaryFolder();
  const run = { cwd, words: ['--eval', 'throw new Error("why")'], before: () => undefined };
  expect(() => countRun(revision, run, false)).toThrow(/ended with 1\n[^]*why/u);
});
