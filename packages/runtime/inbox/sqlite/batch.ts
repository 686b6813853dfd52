import type { DatabaseSync } from 'node:sqlite';
import { passFailpoint } from '../failpoint.ts';
import { isInboxError } from '../inbox-error.ts';
import type { Answer, OperationCall } from './messages.ts';
import type { SqliteSettings } from './options.ts';
import { operationKinds, type ThreadOperations } from './thread-operations.ts';
import { toFailure } from './to-failure.ts';
import type { TrackedFiles } from './tracked-files.ts';
import { transact } from './transact.ts';
import type { WalLimit } from './wal.ts';

/** Returns whether a call stores a delivery, or tries whether that is possible. */
function stores({ name }: OperationCall): boolean {
  return name === 'receive' || name === 'tryToStore';
}

/** Runs calls, those that write in one transaction. */
export type RunBatch = (calls: readonly OperationCall[]) => readonly Answer[];

/** Prepares the statements for a connection. */
export function createRunBatch(
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
