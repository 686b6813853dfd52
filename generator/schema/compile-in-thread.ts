import { Worker } from 'node:worker_threads';
import { compileValidators, type CompileTask } from './compile-validators.ts';
import type { CompiledSchema } from './validator-code.ts';

/** The number of schemas from which a thread saves more time than starting it costs. */
const minThreadedSchemas = 100;

/**
 * Compiles schemas as `compileValidators` does; `minThreadedSchemas` or more in a thread. Several threads would finish
 * sooner, but each spends half a second of CPU time on loading its own copy of Ajv. The caller is busy for longer than
 * one thread needs.
 * @param done receives each result with its task, in order
 * @throws the error that terminates the thread, such as one for too little memory
 */
export async function compileInThread<Task extends CompileTask>(
  tasks: readonly Task[],
  done: (task: Task, compiled: CompiledSchema) => void,
): Promise<void> {
  const left = tasks.values();
  const doneNext = (compiled: CompiledSchema): void => {
    const { value: task } = left.next();
    if (task !== undefined) done(task, compiled);
  };
  if (tasks.length < minThreadedSchemas) {
    for (const compiled of compileValidators(tasks)) doneNext(compiled);
    return;
  }
  const workerData = tasks.map(
    ({ schema, functionName, references, unevaluated }): CompileTask => ({
      schema,
      functionName,
      references,
      unevaluated,
    }),
  );
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./compile-thread.${extension}`, import.meta.url), {
    workerData,
  });
  await new Promise<void>((resolve, reject) => {
    worker.on('message', (batch: string) => {
      for (const compiled of JSON.parse(batch) as readonly CompiledSchema[]) doneNext(compiled);
    });
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
