import type { Worker } from 'node:worker_threads';
import { startThread } from '../../execution/thread.ts';

/** A request to the thread, with a document as JSON. */
export interface PrintRequest {
  readonly id: number;
  readonly document: string;
}

export type PrintResponse =
  | { readonly id: number; readonly types: string }
  | { readonly id: number; readonly error: Error };

let thread: Worker | undefined;
let lastId = 0;
const pending = new Map<number, (result: string | Error) => void>();

/**
 * Prints the types of a document with `openapi-typescript` in a thread, because the library and TypeScript take half a
 * second to load. The thread remains for later documents and does not keep the process alive.
 * @throws the error of the library, or of the thread
 */
export async function printInThread(document: string): Promise<string> {
  lastId += 1;
  const request: PrintRequest = { id: lastId, document };
  const result = await new Promise<string | Error>((resolve) => {
    pending.set(request.id, resolve);
    startPrintThread();
    thread?.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread?.postMessage(request);
  });
  if (pending.size === 0) thread?.unref();
  if (result instanceof Error) throw result;
  return result;
}

/** Starts the thread of `printInThread`, unless it is running. */
export function startPrintThread(): void {
  if (thread !== undefined) return;
  const worker = startThread(new URL('./print-thread.ts', import.meta.url), {});
  const settle = (id: number, result: string | Error): void => {
    pending.get(id)?.(result);
    pending.delete(id);
  };
  worker.on('message', (response: PrintResponse) =>
    settle(response.id, 'types' in response ? response.types : response.error),
  );
  let failure = new Error('The thread that prints types ended early.');
  worker.once('error', (error: Error) => {
    failure = error;
  });
  worker.once('exit', () => {
    thread = undefined;
    for (const id of pending.keys()) settle(id, failure);
  });
  worker.unref();
  thread = worker;
}
