import { Worker } from 'node:worker_threads';
import type { Json } from '../json.ts';
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

/**
 * Judges values by compiled validators: by the code that is generated, in a thread of its own. Whatever a value or a
 * pattern does to it, it answers: a check that takes too long ends the thread, and another one goes on with the rest.
 */
export interface Judge {
  /** Makes functions known by their names. */
  define(functions: ReadonlyMap<string, ValidatorCode>): void;
  /**
   * Returns the errors of a value by a function.
   * @throws JudgeError for a value that cannot be judged
   */
  check(functionName: string, value: Json): Promise<readonly SchemaError[]>;
  close(): void;
}

/** A message to the thread. */
export type JudgeRequest =
  /** Functions as JSON: to clone the objects takes several times as long. */
  | { readonly kind: 'define'; readonly functions: string }
  | { readonly kind: 'check'; readonly id: number; readonly name: string; readonly value: Json };

/** A message of the thread. */
export type JudgeAnswer =
  /** The patterns of new functions, in the order of their numbers. */
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] }
  | { readonly kind: 'errors'; readonly id: number; readonly errors: readonly SchemaError[] }
  | {
      readonly kind: 'failure';
      readonly id: number;
      readonly code: JudgeError['code'];
      readonly message: string;
      readonly pattern?: string;
    };

/**
 * At `runningCheck` the check that is running (0: none), at `runningPattern` the pattern that it is matching (-1: none),
 * at `matches` the number of matches that were begun.
 */
export type JudgeState = Int32Array<SharedArrayBuffer>;
export const runningCheck = 0;
export const runningPattern = 1;
export const matches = 2;

/** What a thread is started with. */
export interface JudgeStart {
  /** Written by the thread. */
  readonly state: JudgeState;
  readonly slowPatterns: ReadonlySet<string>;
}

/** How often the thread is looked at. A suspended machine does not look, so that its sleep is no time of a check. */
const pollMs = 50;

/**
 * The time that a check may take. It is the limit of one check; the sum has none, since a contract may have any number
 * of examples. Each check that exceeds it halves it for the next ones: valid contracts never get there, and a hostile
 * one with thousands of such checks would take hours.
 */
const maxCheckMs = 1000;
const minCheckMs = 100;

/** The memory that checks may take, for their own objects. */
const maxHeapMegabytes = 1024;

export function createJudge(): Judge {
  return new ThreadJudge();
}

interface Check {
  readonly name: string;
  readonly value: Json;
  readonly resolve: (errors: readonly SchemaError[]) => void;
  readonly reject: (error: unknown) => void;
}

class ThreadJudge implements Judge {
  readonly #functions = new Map<string, ValidatorCode>();
  readonly #checks = new Map<number, Check>();
  readonly #slowPatterns = new Set<string>();
  #lastId = 0;
  #limitMs = maxCheckMs;
  #thread: JudgeThread | undefined;

  define(functions: ReadonlyMap<string, ValidatorCode>): void {
    const added = new Map([...functions].filter(([name]) => !this.#functions.has(name)));
    for (const [name, code] of added) this.#functions.set(name, code);
    this.#thread?.define(added.values());
  }

  check(name: string, value: Json): Promise<readonly SchemaError[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#checks.set(id, { name, value, resolve, reject });
      this.#begin(id);
    });
  }

  close(): void {
    this.#thread?.stop();
    this.#thread = undefined;
  }

  #begin(id: number): void {
    const check = this.#checks.get(id);
    if (check === undefined) return;
    this.#thread ??= this.#start();
    try {
      this.#thread.send({ kind: 'check', id, name: check.name, value: check.value });
    } catch (error) {
      // The value is nested too deeply to be sent.
      if (!(error instanceof RangeError)) throw error;
      this.#end(id, tooDeep());
    }
  }

  #start(): JudgeThread {
    const thread = new JudgeThread(this.#slowPatterns, {
      isBusy: () => this.#checks.size > 0,
      limitMs: () => this.#limitMs,
      answered: (answer) => this.#answered(answer),
      stopped: (id, pattern, error) => this.#stopped(id, pattern, error),
    });
    thread.define(this.#functions.values());
    return thread;
  }

  #answered(answer: Exclude<JudgeAnswer, { kind: 'patterns' }>): void {
    if (answer.kind === 'errors') this.#end(answer.id, answer.errors);
    else this.#end(answer.id, new JudgeError(answer.code, answer.message, answer.pattern));
  }

  /** Ends a check with its errors, or without an answer. */
  #end(id: number, result: readonly SchemaError[] | Error): void {
    const check = this.#checks.get(id);
    this.#checks.delete(id);
    if (result instanceof Error) check?.reject(result);
    else check?.resolve(result);
  }

  /** Blames the check that was running, and begins the others again in another thread. */
  #stopped(id: number, pattern: string | undefined, error: Error | undefined): void {
    this.#thread = undefined;
    this.#limitMs = Math.max(minCheckMs, this.#limitMs / 2);
    if (pattern !== undefined) this.#slowPatterns.add(pattern);
    if (id === 0) {
      // The thread has failed outside of a check: another one would as well.
      const failure = error ?? new Error('The thread of the judge has ended.');
      for (const waiting of this.#checks.keys()) this.#end(waiting, failure);
      return;
    }
    this.#end(
      id,
      pattern === undefined
        ? new JudgeError('too-slow', 'The check takes too long or too much memory.')
        : new JudgeError('slow-pattern', 'The pattern takes too long.', pattern),
    );
    for (const waiting of this.#checks.keys()) this.#begin(waiting);
  }
}

interface ThreadOwner {
  isBusy(): boolean;
  limitMs(): number;
  answered(answer: Exclude<JudgeAnswer, { kind: 'patterns' }>): void;
  stopped(id: number, pattern: string | undefined, error: Error | undefined): void;
}

/** One thread, and the watch over it. */
class JudgeThread {
  readonly #owner: ThreadOwner;
  readonly #worker: Worker;
  readonly #state: JudgeState = new Int32Array(new SharedArrayBuffer(12));
  readonly #patterns: string[] = [];
  #watch: NodeJS.Timeout | undefined;

  constructor(slowPatterns: ReadonlySet<string>, owner: ThreadOwner) {
    this.#owner = owner;
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const start: JudgeStart = { state: this.#state, slowPatterns };
    this.#worker = new Worker(new URL(`./judge-thread.${extension}`, import.meta.url), {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    });
    this.#worker.on('message', (answer: JudgeAnswer) => {
      if (answer.kind === 'patterns') this.#patterns.push(...answer.patterns);
      else owner.answered(answer);
    });
    this.#worker.once('error', (error: Error) => this.#fail(error));
  }

  define(functions: Iterable<ValidatorCode>): void {
    this.send({ kind: 'define', functions: JSON.stringify([...functions]) });
  }

  send(request: JudgeRequest): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(request);
    if (request.kind === 'check') this.#watch ??= this.#startWatch();
  }

  stop(): void {
    clearInterval(this.#watch);
    this.#worker.removeAllListeners();
    void this.#worker.terminate();
  }

  #startWatch(): NodeJS.Timeout {
    let last = 0;
    let polls = 0;
    let lastMatch = 0;
    let pollsOfMatch = 0;
    return setInterval(() => {
      const id = Atomics.load(this.#state, runningCheck);
      const match = Atomics.load(this.#state, matches);
      polls = id !== 0 && id === last ? polls + 1 : 0;
      pollsOfMatch = match === lastMatch ? pollsOfMatch + 1 : 0;
      last = id;
      lastMatch = match;
      if (polls * pollMs >= this.#owner.limitMs()) {
        const pattern = this.#patterns[Atomics.load(this.#state, runningPattern)];
        // Of a check that matches many times, no single pattern is slow.
        const isSlow = pollsOfMatch * 2 >= polls;
        this.stop();
        this.#owner.stopped(id, isSlow ? pattern : undefined, undefined);
      } else if (!this.#owner.isBusy()) {
        clearInterval(this.#watch);
        this.#watch = undefined;
      }
    }, pollMs);
  }

  #fail(error: Error): void {
    this.stop();
    this.#owner.stopped(Atomics.load(this.#state, runningCheck), undefined, error);
  }
}

function tooDeep(): JudgeError {
  return new JudgeError('too-deep', 'The value is nested too deeply to be checked.');
}
