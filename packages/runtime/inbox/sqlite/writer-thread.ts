// The thread that writes to the database: it answers the calls of the main thread in batches.

import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isInboxError } from '../errors.ts';
import { passFailpoint } from '../store.ts';
import {
  createWalLimit,
  migrate,
  openDatabase,
  requireVersion,
  type SqliteSettings,
  type TrackedFiles,
  trackFiles,
  transact,
  type WalLimit,
} from './database.ts';
import {
  type Answer,
  createThreadOperations,
  type FromThread,
  type OperationCall,
  operationKinds,
  type ThreadData,
  type ThreadOperations,
  toFailure,
  type ToThread,
} from './messages.ts';

/** Returns whether a call stores a delivery, or tries whether that is possible. */
function stores({ name }: OperationCall): boolean {
  return name === 'receive' || name === 'tryToStore';
}

/** Runs calls, those that write in one transaction. */
type RunBatch = (calls: readonly OperationCall[]) => readonly Answer[];

/** Prepares the statements for a connection. */
function createRunBatch(
  database: DatabaseSync,
  operations: ThreadOperations,
  settings: SqliteSettings,
  wal: WalLimit,
  files: TrackedFiles,
): RunBatch {
  let synchronous: string = settings.synchronous;

  /** Only a batch that has to be durable waits for the disk. */
  function synchronize(calls: readonly OperationCall[]): void {
    const durable = calls.some(({ name }) => operationKinds[name] === 'durable');
    const wanted = durable || settings.synchronous === 'off' ? settings.synchronous : 'normal';
    if (wanted === synchronous) return;
    database.exec(`PRAGMA synchronous = ${wanted}`);
    synchronous = wanted;
  }

  /** Runs one call. An InboxError is its answer: operations throw one only before they write. */
  function run(call: OperationCall): Answer {
    try {
      return { call: call.call, result: invoke(operations, call) };
    } catch (error) {
      if (isInboxError(error)) return { call: call.call, failure: toFailure(error) };
      throw error;
    }
  }

  function write(calls: readonly OperationCall[]): readonly Answer[] {
    if (calls.length === 0) return [];
    const receives = calls.some(({ name }) => name === 'receive');
    try {
      synchronize(calls);
      const answers = transact(database, () => {
        const results = calls.map(run);
        if (receives) passFailpoint('receive:before-commit');
        return results;
      });
      if (receives) passFailpoint('receive:before-acknowledgement');
      return answers;
    } catch (error) {
      const [only, ...rest] = calls;
      if (only === undefined) return [];
      if (rest.length === 0) return [{ call: only.call, failure: toFailure(error) }];
      // One call must not fail the others.
      return calls.flatMap((call) => write([call]));
    }
  }

  function read(call: OperationCall): Answer {
    try {
      return run(call);
    } catch (error) {
      return { call: call.call, failure: toFailure(error) };
    }
  }

  function runAll(calls: readonly OperationCall[]): readonly Answer[] {
    const reads = calls.filter(({ name }) => operationKinds[name] === 'read');
    const writes = calls.filter(({ name }) => operationKinds[name] !== 'read');
    let refused: readonly Answer[] = [];
    let accepted: readonly OperationCall[] = writes;
    if (writes.some(stores) && wal.exceeded()) {
      const failure = {
        code: 'store-failed',
        message:
          'The write-ahead log of the inbox has reached its maximum. ' +
          'Close the connection that holds a read transaction open.',
      } as const;
      refused = writes.filter(stores).map(({ call }) => ({ call, failure }));
      accepted = writes.filter((call) => !stores(call));
    }
    return [...refused, ...write(accepted), ...reads.map(read)];
  }

  return (calls) => {
    try {
      files.check();
      const answers = runAll(calls);
      // What was committed to a file that is gone must not be acknowledged.
      files.check();
      return answers;
    } catch (error) {
      const failure = toFailure(error);
      return calls.map(({ call }) => ({ call, failure }));
    }
  };
}

/** Calls an operation by its name. The types of the call guarantee that its parameters fit. */
function invoke(operations: ThreadOperations, { name, parameters }: OperationCall): unknown {
  const operation: (...parameters: never[]) => unknown = operations[name];
  return Reflect.apply(operation, undefined, parameters);
}

/** The maximum number of calls in one transaction. More would delay the answer to the first. */
const maxBatch = 512;

/** Serves the calls of the main thread until it closes the store. */
function serve(port: MessagePort, { settings, turn }: ThreadData): void {
  const post = (message: FromThread): void => port.postMessage(message);
  const turns = new Int32Array(turn);
  let close: () => void;
  let runBatch: RunBatch;
  let wal: WalLimit;
  try {
    const database = openDatabase(settings, settings.busyTimeoutMs);
    close = () => database.close();
    if (settings.migrate) migrate(database);
    else requireVersion(database);
    const { path, maxWalBytes, busyTimeoutMs } = settings;
    wal = createWalLimit(database, path, maxWalBytes, busyTimeoutMs);
    const operations = createThreadOperations(database);
    runBatch = createRunBatch(database, operations, settings, wal, trackFiles(path));
  } catch (error) {
    post({ failedToOpen: toFailure(error) });
    port.close();
    return;
  }

  let calls: OperationCall[] = [];
  let turnWanted = false;
  let closing = false;
  let scheduled = false;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    // All messages that have arrived are read before the batch runs.
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    const batch = calls.splice(0, maxBatch);
    if (batch.length > 0) post(runBatch(batch));
    wal.maintain();
    if (turnWanted) {
      turnWanted = false;
      Atomics.store(turns, 0, 0);
      post('turn');
      Atomics.wait(turns, 0, 0);
    }
    if (calls.length > 0) schedule();
    else if (closing) {
      close();
      port.close();
    }
  }

  port.on('message', (message: ToThread) => {
    if (message === 'turn') turnWanted = true;
    else if (message === 'close') closing = true;
    else calls.push(message);
    schedule();
  });
}

if (parentPort !== null) serve(parentPort, workerData);
