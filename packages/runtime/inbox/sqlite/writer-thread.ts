import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createRunBatch, type RunBatch } from './batch.ts';
import type { FromThread, OperationCall, ThreadData, ToThread } from './messages.ts';
import { migrate, requireVersion } from './migrations.ts';
import { openDatabase } from './open-database.ts';
import { createThreadOperations } from './thread-operations.ts';
import { toFailure } from './to-failure.ts';
import { trackFiles } from './tracked-files.ts';
import { createWalLimit, type WalLimit } from './wal.ts';

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
