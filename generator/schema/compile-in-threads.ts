import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { compileValidators, type CompileTask } from './compile-validators.ts';
import type { CompiledSchema } from './validator-code.ts';

/** The number of schemas from which a thread saves more time than it needs to start. */
const minThreadedSchemas = 100;

/** Threads work beside the caller, each with a heap and a copy of Ajv of its own: a second one has to be worth that. */
const schemasPerThread = 1000;

/**
 * Compiles schemas as `compileValidators` does, many of them in threads.
 * @param done receives each result with its task; those of one thread in the order of the tasks
 */
export async function compileInThreads<Task extends CompileTask>(
  tasks: readonly Task[],
  done: (task: Task, compiled: CompiledSchema) => void,
): Promise<void> {
  const assign = (share: readonly Task[]): ((compiled: CompiledSchema) => void) => {
    const left = share.values();
    return (compiled) => {
      const { value: task } = left.next();
      if (task !== undefined) done(task, compiled);
    };
  };
  if (tasks.length < minThreadedSchemas) {
    const assigned = assign(tasks);
    for (const compiled of compileValidators(tasks)) assigned(compiled);
    return;
  }
  const threads = Math.min(availableParallelism(), Math.ceil(tasks.length / schemasPerThread));
  // Neighbours are often alike in size: each thread gets every n-th schema.
  const shares = Array.from({ length: threads }, (_, first) =>
    tasks.filter((_task, index) => index % threads === first),
  );
  await Promise.all(shares.map((share) => runThread(share, assign(share))));
}

/** @throws the error that ends the thread, such as one for too little memory */
async function runThread(
  tasks: readonly CompileTask[],
  done: (compiled: CompiledSchema) => void,
): Promise<void> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const workerData = tasks.map(({ schema, functionName, references, unevaluated }) => ({
    schema,
    functionName,
    references,
    unevaluated,
  }));
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
