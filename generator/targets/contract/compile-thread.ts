import { parentPort, workerData } from 'node:worker_threads';
import { compileValidators, type NamedSchema } from './compile-validators.ts';

// What `compileInThread` starts: compiles the schemas it is given and answers with all of them at once.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has none
parentPort?.postMessage(new Map(compileValidators(workerData as readonly NamedSchema[])));
