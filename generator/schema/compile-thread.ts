import { parentPort, workerData } from 'node:worker_threads';
import { compileValidators, type CompileTask } from './compile-validators.ts';
import type { CompiledSchema } from './validator-code.ts';

// The thread of `compileInThread`. It compiles its schemas and posts the functions in batches, as JSON, because cloning
// the objects takes several times as long.
const batchSize = 50;
let batch: CompiledSchema[] = [];
for (const compiled of compileValidators(workerData as readonly CompileTask[])) {
  batch.push(compiled);
  if (batch.length === batchSize) post();
}
post();

function post(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
  parentPort?.postMessage(JSON.stringify(batch));
  batch = [];
}
