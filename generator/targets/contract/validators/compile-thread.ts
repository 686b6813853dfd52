import { parentPort, workerData } from 'node:worker_threads';
import type { Share } from './compile-in-threads.ts';
import { compileValidators } from './compile-validators.ts';

// What `compileInThreads` starts: compiles the schemas it is given and answers with all of them at once.
const { schemas, unevaluated } = workerData as Share;
const compiled = new Map(compileValidators(schemas, unevaluated));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has none
parentPort?.postMessage(compiled);
