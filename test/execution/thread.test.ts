import { once } from 'node:events';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { startThread } from '../../generator/execution/thread.ts';
import { writeContract } from '../load/write-contract.ts';

it('runs a source file with its data and the folder of compiled code', async () => {
  const folder = await writeContract({
    'echo.ts': `import module from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
module.enableCompileCache();
const folder: string | undefined = module.getCompileCacheDir();
parentPort?.postMessage({ workerData, folder });
`,
  });
  module.enableCompileCache();
  const thread = startThread(pathToFileURL(join(folder, 'echo.ts')), { workerData: 'data' });
  expect(await once(thread, 'message')).toEqual([
    { workerData: 'data', folder: module.getCompileCacheDir() },
  ]);
});
