import { Worker } from 'node:worker_threads';
import { InboxError } from '../inbox-error.ts';
import type { FromThread, OperationCall, ThreadData, ToThread } from './messages.ts';
import type { SqliteSettings } from './options.ts';
import type { OperationName, ThreadOperations } from './thread-operations.ts';
import { toInboxError } from './to-failure.ts';

/** A call that has not been answered. */
interface PendingCall {
  /** Missing for a turn. */
  readonly name?: OperationName;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: InboxError) => void;
}

/** Calls the writer thread. A thread that ended is started again by the next call. */
export interface Writer {
  call<Name extends OperationName>(
    name: Name,
    ...parameters: Parameters<ThreadOperations[Name]>
  ): Promise<ReturnType<ThreadOperations[Name]>>;
  /** Returns whether receipts of this process have no answer yet. */
  hasWaitingReceipts(): boolean;
  /** Runs a function while the thread writes nothing. */
  takeTurn(run: () => void): Promise<void>;
  close(): Promise<void>;
}

/** Starts the writer thread. */
export function startWriter(settings: SqliteSettings): Writer {
  const pending = new Map<number, PendingCall>();
  const turns: PendingCall[] = [];
  let lastCall = 0;
  let thread: Worker | undefined;
  let turn = new Int32Array(new SharedArrayBuffer(4));
  let closed: Promise<void> | undefined;

  function failAll(error: InboxError): void {
    const failed = [...pending.values(), ...turns.splice(0)];
    pending.clear();
    for (const { reject } of failed) reject(error);
  }

  function start(): Worker {
    turn = new Int32Array(new SharedArrayBuffer(4));
    const data: ThreadData = { settings, turn: turn.buffer };
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const started = new Worker(new URL(`./writer-thread.${extension}`, import.meta.url), {
      workerData: data,
      name: 'countersign-inbox',
    });
    let failure: InboxError | undefined;
    started.on('message', (message: FromThread) => {
      if (message === 'turn') {
        giveTurns();
      } else if ('failedToOpen' in message) {
        failure = toInboxError(message.failedToOpen);
      } else {
        for (const answer of message) {
          const call = pending.get(answer.call);
          pending.delete(answer.call);
          if ('failure' in answer) call?.reject(toInboxError(answer.failure));
          else call?.resolve(answer.result);
        }
      }
      rest();
    });
    started.on('error', (cause) => {
      failure = new InboxError('store-failed', 'The writer thread of the inbox failed', { cause });
    });
    started.on('exit', () => {
      if (thread === started) thread = undefined;
      // Whether the last transaction was committed is not known: the caller must not acknowledge it.
      failAll(failure ?? new InboxError('store-failed', 'The writer thread of the inbox ended'));
    });
    return started;
  }

  /** Runs the functions that wait for the turn, then returns it. */
  function giveTurns(): void {
    const given = turns.splice(0);
    try {
      for (const { resolve } of given) resolve(undefined);
    } finally {
      Atomics.store(turn, 0, 1);
      Atomics.notify(turn, 0);
    }
  }

  /** Lets the process exit while nothing waits for an answer or for the end of the thread. */
  function rest(): void {
    if (pending.size + turns.length === 0 && closed === undefined) thread?.unref();
  }

  function post(message: ToThread): void {
    thread ??= start();
    thread.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(message);
  }

  thread = start();
  thread.unref();

  return {
    call(name, ...parameters) {
      return new Promise((resolve, reject) => {
        if (closed !== undefined) {
          reject(new InboxError('closed', 'The inbox is closed'));
          return;
        }
        const call = (lastCall += 1);
        pending.set(call, { name, resolve: (result) => resolve(result as never), reject });
        try {
          post({ call, name, parameters } as OperationCall);
        } catch (cause) {
          pending.delete(call);
          reject(
            new InboxError('store-failed', 'The call cannot be sent to the writer thread', {
              cause,
            }),
          );
        }
      });
    },
    hasWaitingReceipts: () => [...pending.values()].some(({ name }) => name === 'receive'),
    takeTurn(run) {
      return new Promise((resolve, reject) => {
        if (closed !== undefined) {
          reject(new InboxError('closed', 'The inbox is closed'));
          return;
        }
        turns.push({
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
        post('turn');
      });
    },
    close() {
      closed ??= new Promise((resolve) => {
        if (thread === undefined) {
          resolve();
          return;
        }
        thread.once('exit', () => resolve());
        post('close');
      });
      return closed;
    },
  };
}
