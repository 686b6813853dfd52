import module from 'node:module';
import { dirname } from 'node:path';
import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads';
import { TimeLimitError } from './time-limit.ts';

/**
 * Starts a thread of the toolkit. It uses Node's cache of compiled code if this process does.
 * @param file the source file that the thread runs, which is compiled to JavaScript beside this file's compiled form
 */
export function startThread(file: URL, options: WorkerOptions = {}): Worker {
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

/** Threads that have nothing to do, by their files. To start one costs more than most requests: it loads its modules anew. */
const idle = new Map<string, Worker>();

/** Takes the thread of a file that has nothing to do, or starts one. It keeps the process alive. */
export function takeThread(file: URL, options: WorkerOptions = {}): Worker {
  const worker = idle.get(file.href) ?? startThread(file, options);
  idle.delete(file.href);
  worker.removeAllListeners();
  worker.ref();
  return worker;
}

/** Keeps a thread that has nothing to do for the next call of `takeThread` with its file. */
export function releaseThread(file: URL, worker: Worker): void {
  worker.removeAllListeners();
  if (idle.has(file.href)) {
    void worker.terminate();
    return;
  }
  idle.set(file.href, worker);
  worker.unref();
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    if (idle.get(file.href) === worker) idle.delete(file.href);
  });
}

/** A request without an answer. */
interface Waiting<Request, Answer> extends PromiseWithResolvers<Answer> {
  readonly request: Request;
}

type Response<Answer> = { readonly answer: Answer } | { readonly error: unknown };

/** The maximum number of requests in the queue of a thread, which has a copy of each. */
const maxSent = 20;

/**
 * A thread that answers requests, one after the other. It starts at once, unless another one has left it, and keeps the
 * process alive only while it has requests. Its file calls `answerRequests`.
 */
export class AnsweringThread<Request, Answer> {
  readonly #file: URL;
  readonly #worker: Worker;
  /** The requests in their order. The thread has the first `#sent` of them. */
  readonly #waiting: Waiting<Request, Answer>[] = [];
  #sent = 0;
  #failure: unknown = new Error('A thread ended early.');
  #hasEnded = false;

  constructor(file: URL) {
    this.#file = file;
    this.#worker = takeThread(file);
    this.#worker.on('message', (response: Response<Answer>) => {
      const answered = this.#waiting.shift();
      this.#sent -= 1;
      if ('answer' in response) answered?.resolve(response.answer);
      else answered?.reject(response.error);
      this.#send();
    });
    this.#worker.once('error', (error: unknown) => {
      this.#failure = error;
    });
    this.#worker.once('exit', () => {
      this.#hasEnded = true;
      for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
    });
    this.#worker.unref();
  }

  /** Whether the thread was closed or has failed, such as for too little memory. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * @param maxMs the maximum duration in milliseconds, after which the thread is ended
   * @throws what the answering function throws, the error that ends the thread, or a `TimeLimitError`
   */
  async ask(request: Request, maxMs?: number): Promise<Answer> {
    if (this.#hasEnded) throw this.#failure;
    const waiting = { request, ...Promise.withResolvers<Answer>() };
    this.#waiting.push(waiting);
    this.#send();
    if (maxMs === undefined) return await waiting.promise;
    const timer = setTimeout(() => {
      waiting.reject(new TimeLimitError('A request took too long.'));
      this.close();
    }, maxMs);
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #send(): void {
    let next = this.#waiting[this.#sent];
    while (next !== undefined && this.#sent < maxSent) {
      try {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        this.#worker.postMessage(next.request);
        this.#sent += 1;
      } catch (error) {
        // The request cannot be cloned.
        this.#waiting.splice(this.#sent, 1);
        next.reject(error);
      }
      next = this.#waiting[this.#sent];
    }
    if (this.#waiting.length > 0) this.#worker.ref();
    else this.#worker.unref();
  }

  /**
   * Leaves the thread to the next one of its file. If it has requests, it ends, whatever it is doing, and they are
   * rejected.
   */
  close(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#waiting.length === 0) releaseThread(this.#file, this.#worker);
    else void this.#worker.terminate();
  }
}

/** Answers the requests of an `AnsweringThread`. Called once, by the file of the thread. */
export function answerRequests<Request, Answer>(
  answer: (request: Request) => Answer | Promise<Answer>,
): void {
  const respond = async (request: Request): Promise<void> => {
    let response: Response<Answer>;
    try {
      response = { answer: await answer(request) };
    } catch (error) {
      response = { error };
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
    parentPort?.postMessage(response);
  };
  let last = Promise.resolve();
  parentPort?.on('message', (request: Request) => {
    last = last.then(() => respond(request));
  });
}
