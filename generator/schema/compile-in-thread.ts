import { startThread } from '../execution/thread.ts';
import { compileValidators, type CompileTask } from './compile-validators.ts';
import type { CompiledSchema } from './validator-code.ts';

/** The number of schemas from which a thread saves more time than starting it costs. */
const minThreadedSchemas = 100;

/**
 * Compiles schemas as `compileValidators` does; `minThreadedSchemas` or more in a thread. Several threads would finish
 * sooner, but each spends half a second of CPU time on loading its own copy of Ajv. The caller is busy for longer than
 * one thread needs.
 * @param done receives each result with its job, in order
 * @throws the error that terminates the thread, such as one for too little memory
 */
export async function compileInThread<Job extends { readonly task: CompileTask }>(
  jobs: readonly Job[],
  done: (job: Job, compiled: CompiledSchema) => void,
): Promise<void> {
  const left = jobs.values();
  const doneNext = (compiled: CompiledSchema): void => {
    const { value: job } = left.next();
    if (job !== undefined) done(job, compiled);
  };
  const tasks = jobs.map(({ task }) => task);
  if (tasks.length < minThreadedSchemas) {
    for (const compiled of compileValidators(tasks)) doneNext(compiled);
    return;
  }
  const worker = startThread(new URL('./compile-thread.ts', import.meta.url), {
    workerData: tasks,
  });
  await new Promise<void>((resolve, reject) => {
    worker.on('message', (batch: string) => {
      for (const compiled of JSON.parse(batch) as readonly CompiledSchema[]) doneNext(compiled);
    });
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
