import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { compileValidators, type CompiledSchema, type NamedSchema } from './compile-validators.ts';

/** Schemas from which on a thread of their own takes less time than it needs to start. */
const worthwhile = 300;

/**
 * Compiles schemas as `compileValidators` does; many of them in a thread beside this one, which can do something else
 * meanwhile. Rejects with what cannot be compiled.
 */
export async function compileInThread(
  schemas: readonly NamedSchema[],
): Promise<ReadonlyMap<string, CompiledSchema>> {
  if (schemas.length < worthwhile) return new Map(compileValidators(schemas));
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const workerData = schemas.map(({ name, schema }) => ({ name, schema }));
  const worker = new Worker(new URL(`./compile-thread.${extension}`, import.meta.url), {
    workerData,
  });
  const [compiled] = (await once(worker, 'message')) as [ReadonlyMap<string, CompiledSchema>];
  return compiled;
}
