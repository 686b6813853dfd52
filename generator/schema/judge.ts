import { Worker } from 'node:worker_threads';
import type { Json } from '../json/json.ts';
import type { SchemaError } from './schema-error.ts';
import type { ValidatorCode } from './validator-code.ts';

/** A value cannot be judged. */
export class JudgeError extends Error {
  override readonly name = 'JudgeError';
  readonly code: 'slow-pattern' | 'too-slow' | 'too-deep' | 'not-compiled';
  /** The pattern that takes too long. */
  readonly pattern: string | undefined;

  constructor(code: JudgeError['code'], message: string, pattern?: string) {
    super(message);
    this.code = code;
    this.pattern = pattern;
  }
}

/** A message to the thread. Functions are JSON: to clone the objects takes several times as long. */
export type JudgeRequest =
  | { readonly kind: 'define'; readonly functions: string }
  | { readonly kind: 'check'; readonly id: number; readonly name: string; readonly value: Json };

/** A message of the thread. `patterns` are those of new functions, in the order of their numbers. */
export type JudgeAnswer =
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] }
  | { readonly kind: 'errors'; readonly id: number; readonly errors: readonly SchemaError[] }
  | {
      readonly kind: 'failure';
      readonly id: number;
      readonly failure: readonly [JudgeError['code'], message: string, pattern?: string];
    };

/**
 * Written by the thread: at `runningCheck` the check that is running (0: none), at `runningPattern` the pattern that it
 * is matching (-1: none), at `matches` the number of matches that were begun.
 */
export type JudgeState = Int32Array<SharedArrayBuffer>;
export const runningCheck = 0;
export const runningPattern = 1;
export const matches = 2;

/** The data that a thread is started with. */
export interface JudgeStart {
  readonly state: JudgeState;
  readonly slowPatterns: ReadonlySet<string>;
}

/** The interval at which the thread is watched. While the machine is suspended, no time of a check is counted. */
const pollMs = 50;

/**
 * The time that one check may take. The sum of all has no limit, since a contract may have any number of examples. Each
 * check that exceeds the limit halves it for the next ones: a valid contract has none, and a hostile one with thousands
 * of them would take hours.
 */
const maxCheckMs = 1000;
const minCheckMs = 100;

/** The heap of a thread. */
const maxHeapMegabytes = 1024;

interface Check {
  readonly name: string;
  readonly value: Json;
  readonly resolve: (errors: readonly SchemaError[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Judges values by compiled validators: by the code that is generated, in a thread of its own. A check that takes too
 * long ends the thread, and another thread continues with the other checks.
 */
export class Judge {
  readonly #functions = new Map<string, ValidatorCode>();
  readonly #checks = new Map<number, Check>();
  readonly #slowPatterns = new Set<string>();
  readonly #state: JudgeState = new Int32Array(new SharedArrayBuffer(12));
  #patterns: string[] = [];
  #lastId = 0;
  #limitMs = maxCheckMs;
  #worker: Worker | undefined;
  #watch: NodeJS.Timeout | undefined;

  /** Makes functions known by their names. */
  define(functions: Iterable<readonly [functionName: string, ValidatorCode]>): void {
    const added = Array.from(functions).filter(([name]) => !this.#functions.has(name));
    for (const [name, code] of added) this.#functions.set(name, code);
    if (this.#worker !== undefined) this.#sendFunctions(added.map(([, code]) => code));
  }

  /**
   * Returns the errors of a value by a function.
   * @throws JudgeError for a value that cannot be judged
   */
  check(functionName: string, value: Json): Promise<readonly SchemaError[]> {
    this.#lastId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<readonly SchemaError[]>();
    this.#checks.set(this.#lastId, { name: functionName, value, resolve, reject });
    this.#begin(this.#lastId);
    return promise;
  }

  close(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#worker?.removeAllListeners();
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #begin(id: number): void {
    const { name, value } = this.#checks.get(id) ?? { name: '', value: null };
    if (this.#worker === undefined) this.#start();
    this.#watch ??= this.#startWatch();
    try {
      this.#send({ kind: 'check', id, name, value });
    } catch (error) {
      // The value is nested too deeply to be sent.
      if (!(error instanceof RangeError)) throw error;
      this.#end(id, new JudgeError('too-deep', error.message));
    }
  }

  #start(): void {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#state.fill(0);
    this.#patterns = [];
    const start: JudgeStart = { state: this.#state, slowPatterns: this.#slowPatterns };
    this.#worker = new Worker(new URL(`./judge-thread.${extension}`, import.meta.url), {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    });
    this.#worker.on('message', (answer: JudgeAnswer) => {
      if (answer.kind === 'patterns') this.#patterns.push(...answer.patterns);
      else if (answer.kind === 'errors') this.#end(answer.id, answer.errors);
      else this.#end(answer.id, new JudgeError(...answer.failure));
    });
    this.#worker.once('error', (error: Error) =>
      this.#restart(Atomics.load(this.#state, runningCheck), undefined, error),
    );
    this.#sendFunctions([...this.#functions.values()]);
  }

  #sendFunctions(functions: readonly ValidatorCode[]): void {
    if (functions.length > 0) this.#send({ kind: 'define', functions: JSON.stringify(functions) });
  }

  #send(request: JudgeRequest): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker?.postMessage(request);
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
        // Of a check that matches many times, no single pattern is slow.
        const isSlow = pollsOfMatch * 2 >= polls;
        const pattern = this.#patterns[Atomics.load(this.#state, runningPattern)];
        this.#restart(id, isSlow ? pattern : undefined);
      } else if (this.#checks.size === 0) {
        clearInterval(this.#watch);
        this.#watch = undefined;
      }
    }, pollMs);
  }

  /** Ends the thread, rejects the check that it was running, and begins the others again. */
  #restart(id: number, pattern: string | undefined, error?: Error): void {
    this.close();
    this.#limitMs = Math.max(minCheckMs, this.#limitMs / 2);
    if (error !== undefined && id === 0) {
      // The thread has failed outside of a check, and would do so again.
      for (const waiting of this.#checks.keys()) this.#end(waiting, error);
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
