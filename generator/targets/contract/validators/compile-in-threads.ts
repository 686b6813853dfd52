import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  compileValidators,
  usesUnevaluated,
  type CompiledSchema,
  type NamedSchema,
} from './compile-validators.ts';

/** What a thread is given. */
export interface Share {
  readonly schemas: readonly NamedSchema[];
  readonly unevaluated: boolean;
}

/** Schemas from which on threads of their own take less time than they need to start. */
const worthwhile = 300;

/** More find little left to do, and each takes its own memory. */
const mostThreads = 4;

/**
 * Compiles schemas as `compileValidators` does; many of them in threads beside this one, which can do something else
 * meanwhile. Rejects with what cannot be compiled.
 */
export async function compileInThreads(
  schemas: readonly NamedSchema[],
): Promise<ReadonlyMap<string, CompiledSchema>> {
  const unevaluated = usesUnevaluated(schemas);
  if (schemas.length < worthwhile) return new Map(compileValidators(schemas, unevaluated));
  const shares = divide(schemas, Math.min(availableParallelism(), mostThreads));
  const compiled = await Promise.all(
    shares.map((share) => compileShare({ schemas: share, unevaluated })),
  );
  return new Map(compiled.flatMap((part) => [...part]));
}

async function compileShare(share: Share): Promise<ReadonlyMap<string, CompiledSchema>> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./compile-thread.${extension}`, import.meta.url), {
    workerData: share,
  });
  const [compiled] = (await once(worker, 'message')) as [ReadonlyMap<string, CompiledSchema>];
  return compiled;
}

/** In turn, as cards are dealt: neighbours are often alike in size. */
function divide(schemas: readonly NamedSchema[], parts: number): readonly NamedSchema[][] {
  const shares = Array.from({ length: parts }, (): NamedSchema[] => []);
  for (const [index, { name, schema }] of schemas.entries())
    shares[index % parts]?.push({ name, schema });
  return shares;
}
