import { Worker } from 'node:worker_threads';
import { InboxError } from '../errors.ts';
import type { SqliteSettings } from './database.ts';
import {
  type FromThread,
  type OperationCall,
  type OperationName,
  type ThreadData,
  type ThreadOperations,
  toInboxError,
  type ToThread,
} from './messages.ts';

/** A call that has not been answered. */
interface PendingCall {
  /** Missing for a turn. */
  readonly name?: OperationName;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: InboxError) => void;
}

/** Calls the writer thread. A thread that ended is started again by the next call. */
export class Writer {
  readonly #settings: SqliteSettings;
  readonly #pending = new Map<number, PendingCall>();
  readonly #turns: PendingCall[] = [];
  #lastCall = 0;
  #thread: Worker | undefined;
  #turn = new Int32Array(new SharedArrayBuffer(4));
  #closed: Promise<void> | undefined;

  /** Starts the thread. */
  constructor(settings: SqliteSettings) {
    this.#settings = settings;
    this.#thread = this.#start();
    this.#thread.unref();
  }

  call<Name extends OperationName>(
    name: Name,
    ...parameters: Parameters<ThreadOperations[Name]>
  ): Promise<ReturnType<ThreadOperations[Name]>> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(new InboxError('closed', 'The inbox is closed'));
        return;
      }
      const call = (this.#lastCall += 1);
      this.#pending.set(call, { name, resolve: (result) => resolve(result as never), reject });
      try {
        this.#post({ call, name, parameters } as OperationCall);
      } catch (cause) {
        this.#pending.delete(call);
        reject(
          new InboxError('store-failed', 'The call cannot be sent to the writer thread', {
            cause,
          }),
        );
      }
    });
  }

  /** Returns whether receipts of this process have no answer yet. */
  hasWaitingReceipts(): boolean {
    return [...this.#pending.values()].some(({ name }) => name === 'receive');
  }

  /** Runs a function while the thread writes nothing. */
  takeTurn(run: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(new InboxError('closed', 'The inbox is closed'));
        return;
      }
      this.#turns.push({
        resolve: () => {
          try {
            run();
            resolve();
          } catch (error) {
            reject(error);
          }
        },
        reject,
      });
      this.#post('turn');
    });
  }

  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      if (this.#thread === undefined) {
        resolve();
        return;
      }
      this.#thread.once('exit', () => resolve());
      this.#post('close');
    });
    return this.#closed;
  }

  #failAll(error: InboxError): void {
    const failed = [...this.#pending.values(), ...this.#turns.splice(0)];
    this.#pending.clear();
    for (const { reject } of failed) reject(error);
  }

  #start(): Worker {
    this.#turn = new Int32Array(new SharedArrayBuffer(4));
    const data: ThreadData = { settings: this.#settings, turn: this.#turn.buffer };
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const started = new Worker(new URL(`./writer-thread.${extension}`, import.meta.url), {
      workerData: data,
      name: 'countersign-inbox',
    });
    let failure: InboxError | undefined;
    started.on('message', (message: FromThread) => {
      if (message === 'turn') this.#giveTurns();
      else if ('failedToOpen' in message) failure = toInboxError(message.failedToOpen);
      else this.#settle(message);
      this.#rest();
    });
    started.on('error', (cause) => {
      failure = new InboxError('store-failed', 'The writer thread of the inbox failed', { cause });
    });
    started.on('exit', () => {
      if (this.#thread === started) this.#thread = undefined;
      // Whether the last transaction was committed is not known: the caller must not acknowledge it.
      this.#failAll(
        failure ?? new InboxError('store-failed', 'The writer thread of the inbox ended'),
      );
    });
    return started;
  }

  #settle(answers: Exclude<FromThread, 'turn' | { failedToOpen: unknown }>): void {
    for (const answer of answers) {
      const call = this.#pending.get(answer.call);
      this.#pending.delete(answer.call);
      if ('failure' in answer) call?.reject(toInboxError(answer.failure));
      else call?.resolve(answer.result);
    }
  }

  /** Runs the functions that wait for the turn, then returns it. */
  #giveTurns(): void {
    const turns = this.#turns.splice(0);
    try {
      for (const { resolve } of turns) resolve(undefined);
    } finally {
      Atomics.store(this.#turn, 0, 1);
      Atomics.notify(this.#turn, 0);
    }
  }

  /** Lets the process exit while nothing waits for an answer or for the end of the thread. */
  #rest(): void {
    if (this.#pending.size + this.#turns.length === 0 && this.#closed === undefined)
      this.#thread?.unref();
  }

  #post(message: ToThread): void {
    this.#thread ??= this.#start();
    this.#thread.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread.postMessage(message);
  }
}
