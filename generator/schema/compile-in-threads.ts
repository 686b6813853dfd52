import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { compileValidators, type CompileTask } from './compile-validators.ts';
import type { CompiledSchema } from './validator-code.ts';

/** The input of one thread. */
export interface CompileShare {
  readonly tasks: readonly CompileTask[];
  readonly unevaluated: boolean;
}

/** The number of schemas from which threads save more time than they need to start. */
const minThreadedSchemas = 100;

/** Threads work beside the caller, each with a heap and a copy of Ajv of its own: a second one has to be worth that. */
const schemasPerThread = 1000;

/**
 * Compiles schemas as `compileValidators` does, many of them in threads.
 * @param done receives each result with the index of its task, in any order
 */
export async function compileInThreads(
  { tasks, unevaluated }: CompileShare,
  done: (index: number, compiled: CompiledSchema) => void,
): Promise<void> {
  if (tasks.length < minThreadedSchemas) {
    let index = 0;
    for (const compiled of compileValidators(tasks, unevaluated)) done(index++, compiled);
    return;
  }
  const threads = Math.min(availableParallelism(), Math.ceil(tasks.length / schemasPerThread));
  // Neighbours are often alike in size: each thread gets every n-th schema.
  const shares = Array.from({ length: threads }, (_, first) =>
    Array.from(tasks.keys()).filter((index) => index % threads === first),
  );
  await Promise.all(
    shares.map(async (indices) => {
      const share = { tasks: indices.flatMap((index) => tasks[index] ?? []), unevaluated };
      let next = 0;
      await runThread(share, (compiled) => done(indices[next++] ?? -1, compiled));
    }),
  );
}

/** @throws the error that ends the thread, such as one for too little memory */
async function runThread(
  workerData: CompileShare,
  done: (compiled: CompiledSchema) => void,
): Promise<void> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./compile-thread.${extension}`, import.meta.url), {
    workerData,
  });
  await new Promise<void>((resolve, reject) => {
    worker.on('message', (batch: string) => {
      for (const compiled of JSON.parse(batch) as readonly CompiledSchema[]) done(compiled);
    });
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
