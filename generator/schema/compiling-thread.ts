import type { Worker } from 'node:worker_threads';
import { startThread } from '../execution/thread.ts';
import type { CompileTask } from './compile-validators.ts';
import type { CompiledSchema } from './validator-code.ts';

/** A schema to compile, and the receiver of its function. */
export interface CompileJob {
  readonly task: CompileTask;
  readonly resolve: (compiled: CompiledSchema) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread that compiles schemas as `compileValidators` does. It loads Ajv when it starts, and keeps the process alive
 * only while it compiles. Several threads would finish sooner, but each spends half a second of CPU time on loading its
 * own copy of Ajv. The caller is busy for longer than one thread needs.
 */
export class CompilingThread {
  readonly #worker: Worker = startThread(new URL('./compile-thread.ts', import.meta.url), {});
  /** The jobs without a result, in the order in which the thread compiles them. */
  readonly #jobs: CompileJob[] = [];
  readonly #closesWhenIdle: boolean;

  /** @param options with `closesWhenIdle`, the thread ends after the first jobs */
  constructor(options: { readonly closesWhenIdle: boolean }) {
    this.#closesWhenIdle = options.closesWhenIdle;
    let failure = new Error('The compile thread ended early.');
    this.#worker.on('message', (batch: string) => this.#finish(JSON.parse(batch)));
    this.#worker.once('error', (error: Error) => {
      failure = error;
    });
    this.#worker.once('exit', () => {
      for (const { reject } of this.#jobs.splice(0)) reject(failure);
    });
    this.#worker.unref();
  }

  /** Compiles schemas. A job is rejected with the error that terminates the thread, such as one for too little memory. */
  compile(jobs: readonly CompileJob[]): void {
    for (const job of jobs) this.#jobs.push(job);
    this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(jobs.map(({ task }) => task));
  }

  close(): void {
    void this.#worker.terminate();
  }

  #finish(batch: readonly CompiledSchema[]): void {
    const finished = this.#jobs.splice(0, batch.length);
    for (const [index, compiled] of batch.entries()) finished[index]?.resolve(compiled);
    if (this.#jobs.length > 0) return;
    if (this.#closesWhenIdle) this.close();
    else this.#worker.unref();
  }
}
