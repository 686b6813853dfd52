import { parentPort } from 'node:worker_threads';
import { createAjvPrinter } from './ajv.ts';
import { compileValidators, type CompileTask } from './compile-validators.ts';
import type { CompiledSchema } from './validator-code.ts';

// The code of `CompilingThread`. It compiles the schemas of each message and posts the functions in batches. A batch is
// JSON, because cloning the objects takes several times as long.
const batchSize = 10;

// Loads Ajv before the first schemas arrive.
createAjvPrinter(false);

parentPort?.on('message', (tasks: readonly CompileTask[]) => {
  let batch: CompiledSchema[] = [];
  for (const compiled of compileValidators(tasks)) {
    batch.push(compiled);
    if (batch.length < batchSize) continue;
    post(batch);
    batch = [];
  }
  post(batch);
});

function post(batch: readonly CompiledSchema[]): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
  parentPort?.postMessage(JSON.stringify(batch));
}
