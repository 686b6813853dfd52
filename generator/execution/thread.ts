import module from 'node:module';
import { dirname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread of the toolkit. It uses Node's cache of compiled code if this process does.
 * @param file the source file that the thread runs, which is compiled to JavaScript beside this file's compiled form
 */
export function startThread(file: URL, options: WorkerOptions): Worker {
  const isSource = import.meta.filename.endsWith('.ts');
  const compileCache = module.getCompileCacheDir?.();
  const env =
    compileCache === undefined
      ? process.env
      : // Node adds the folder of its version.
        { ...process.env, NODE_COMPILE_CACHE: dirname(compileCache) };
  return new Worker(isSource ? file : new URL(file.href.replace(/\.ts$/u, '.js')), {
    ...options,
    env,
  });
}
