import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { releaseThread, takeThread } from '../execution/thread.ts';
import type { Json } from '../json/json.ts';
import type { SchemaError } from './schema-error.ts';
import type { ValidatorCode } from './validator-code.ts';

/** The error for a value that could not be validated. */
export class JudgeError extends Error {
  override readonly name = 'JudgeError';
  readonly code: 'slow-pattern' | 'too-slow' | 'too-deep' | 'not-compiled' | 'thread-failed';
  /** The pattern that takes too long. */
  readonly pattern: string | undefined;

  constructor(code: JudgeError['code'], message: string, pattern?: string) {
    super(message);
    this.code = code;
    this.pattern = pattern;
  }
}

/** A message to the thread. Functions are sent as JSON, because cloning the objects takes several times as long. */
export type JudgeRequest =
  | { readonly kind: 'define'; readonly functions: string }
  | { readonly kind: 'check'; readonly id: number; readonly name: string; readonly value: Json };

/** A message from the thread. `patterns` are the patterns of new functions, in the order of their numbers. */
export type JudgeResponse =
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] }
  | { readonly kind: 'errors'; readonly id: number; readonly errors: readonly SchemaError[] }
  | {
      readonly kind: 'failure';
      readonly id: number;
      readonly failure: readonly [JudgeError['code'], message: string, pattern?: string];
    };

/**
 * The state that the thread writes. The element at `runningCheck` is the id of the running check (0: none). The element
 * at `runningPattern` is the number of the pattern that is being matched (-1: none). The element at `matches` is the
 * number of matches that were started.
 */
export type JudgeState = Int32Array<SharedArrayBuffer>;
export const runningCheck = 0;
export const runningPattern = 1;
export const matches = 2;

/** The message with which the thread begins to work for a judge, and forgets the one before. */
export interface JudgeStart {
  /** The thread's end of the judge's channel. What a judge has not read when it is closed reaches no other one. */
  readonly port: MessagePort;
  readonly state: JudgeState;
  readonly slowPatterns: ReadonlySet<string>;
}

/** The interval at which the thread is polled. Time during which the machine is suspended does not count. */
const pollMs = 50;

/**
 * The time limit of one check. There is no total limit, because a contract can have any number of examples. Each check
 * that exceeds the limit halves it for the next ones, down to `minCheckMs`. A valid contract has no such check, and
 * a hostile one with thousands of them would otherwise take hours.
 */
const maxCheckMs = 1000;
const minCheckMs = 100;

/** The maximum size of the thread's heap. */
const maxHeapMegabytes = 1024;

const threadFile = new URL('./judge-thread.ts', import.meta.url);

interface PendingCheck {
  readonly name: string;
  readonly value: Json;
  readonly resolve: (errors: readonly SchemaError[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Validates values with compiled validators, which are the same code as in generated packages, in a separate thread. If
 * a check takes too long, the thread is terminated and a new one continues with the other checks.
 */
export class Judge {
  readonly #functions = new Map<string, ValidatorCode>();
  readonly #checks = new Map<number, PendingCheck>();
  readonly #slowPatterns = new Set<string>();
  readonly #state: JudgeState = new Int32Array(new SharedArrayBuffer(12));
  #patterns: string[] = [];
  #lastId = 0;
  #limitMs = maxCheckMs;
  #worker: Worker | undefined;
  #port: MessagePort | undefined;
  #watch: NodeJS.Timeout | undefined;

  /** Adds validating functions by name. A function whose name was added before is ignored. */
  define(functions: Iterable<readonly [functionName: string, ValidatorCode]>): void {
    const added = Array.from(functions).filter(([name]) => !this.#functions.has(name));
    for (const [name, code] of added) this.#functions.set(name, code);
    if (this.#worker !== undefined) this.#sendFunctions(added.map(([, code]) => code));
  }

  /**
   * Validates a value with a function that was added, and returns the errors.
   * @throws JudgeError for a value that cannot be validated, such as one that takes too long
   */
  check(functionName: string, value: Json): Promise<readonly SchemaError[]> {
    this.#lastId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<readonly SchemaError[]>();
    this.#checks.set(this.#lastId, { name: functionName, value, resolve, reject });
    this.#begin(this.#lastId);
    return promise;
  }

  close(): void {
    const worker = this.#detach();
    if (worker === undefined) return;
    if (this.#checks.size === 0) releaseThread(threadFile, worker);
    else void worker.terminate();
  }

  /** Gives up the thread, which may be running a check. */
  #detach(): Worker | undefined {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#port?.close();
    this.#port = undefined;
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners();
    return worker;
  }

  #begin(id: number): void {
    const { name, value } = this.#checks.get(id) ?? { name: '', value: null };
    if (this.#worker === undefined) this.#start();
    this.#watch ??= this.#startWatch();
    try {
      this.#send({ kind: 'check', id, name, value });
    } catch (error) {
      // The value is nested too deeply to be cloned for the thread.
      if (!(error instanceof RangeError)) throw error;
      this.#end(id, new JudgeError('too-deep', error.message));
    }
  }

  #start(): void {
    this.#state.fill(0);
    this.#patterns = [];
    const { port1, port2 } = new MessageChannel();
    const start: JudgeStart = {
      port: port2,
      state: this.#state,
      slowPatterns: this.#slowPatterns,
    };
    this.#worker = takeThread(threadFile, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(start, [port2]);
    this.#port = port1;
    port1.on('message', (answer: JudgeResponse) => {
      if (answer.kind === 'patterns') this.#patterns.push(...answer.patterns);
      else if (answer.kind === 'errors') this.#end(answer.id, answer.errors);
      else this.#end(answer.id, new JudgeError(...answer.failure));
    });
    this.#worker.once('error', (error: Error) =>
      this.#restart(Atomics.load(this.#state, runningCheck), undefined, error),
    );
    this.#worker.once('exit', () =>
      this.#restart(
        Atomics.load(this.#state, runningCheck),
        undefined,
        new Error('The thread ended early.'),
      ),
    );
    this.#sendFunctions([...this.#functions.values()]);
  }

  #sendFunctions(functions: readonly ValidatorCode[]): void {
    if (functions.length > 0) this.#send({ kind: 'define', functions: JSON.stringify(functions) });
  }

  #send(request: JudgeRequest): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    this.#port?.postMessage(request);
  }

  #end(id: number, result: readonly SchemaError[] | Error): void {
    const check = this.#checks.get(id);
    this.#checks.delete(id);
    if (result instanceof Error) check?.reject(result);
    else check?.resolve(result);
  }

  #startWatch(): NodeJS.Timeout {
    let [lastId, polls, lastMatch, pollsOfMatch] = [0, 0, 0, 0];
    return setInterval(() => {
      const id = Atomics.load(this.#state, runningCheck);
      const match = Atomics.load(this.#state, matches);
      polls = id !== 0 && id === lastId ? polls + 1 : 0;
      pollsOfMatch = match === lastMatch ? pollsOfMatch + 1 : 0;
      lastId = id;
      lastMatch = match;
      if (polls * pollMs >= this.#limitMs) {
        // A pattern is slow if one match took at least half of the time. A check with many matches has no slow pattern.
        const isSlow = pollsOfMatch * 2 >= polls;
        const pattern = this.#patterns[Atomics.load(this.#state, runningPattern)];
        this.#restart(id, isSlow ? pattern : undefined);
      } else if (this.#checks.size === 0) {
        clearInterval(this.#watch);
        this.#watch = undefined;
      }
    }, pollMs);
  }

  /** Terminates the thread, rejects the check that it was running, and starts the other checks in a new thread. */
  #restart(id: number, pattern: string | undefined, error?: Error): void {
    void this.#detach()?.terminate();
    this.#limitMs = Math.max(minCheckMs, this.#limitMs / 2);
    if (error !== undefined && id === 0) {
      // The thread failed outside of a check, and a new thread would fail again.
      const failure = new JudgeError('thread-failed', error.message);
      for (const waiting of this.#checks.keys()) this.#end(waiting, failure);
      return;
    }
    if (pattern === undefined) {
      this.#end(id, new JudgeError('too-slow', 'The check takes too long or too much memory.'));
    } else {
      this.#slowPatterns.add(pattern);
      this.#end(id, new JudgeError('slow-pattern', 'The pattern takes too long.', pattern));
    }
    for (const waiting of this.#checks.keys()) this.#begin(waiting);
  }
}
