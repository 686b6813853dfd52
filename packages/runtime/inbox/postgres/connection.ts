import { createDeferred } from '../deferred.ts';
import { InboxError } from '../inbox-error.ts';
import type { Row } from '../row.ts';
import { decodeText, encodeText } from './encode-text.ts';
import type { PostgresClient, PostgresPool } from './pool.ts';

/** Runs one statement. Text is encoded and decoded. Rejects with the error of `pg`. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** Runs several statements without parameters in one message, and returns the rows of each. */
export type Message = (text: string) => Promise<readonly (readonly Row[])[]>;

/** A connection that is taken from a pool. */
export interface Connection<Client extends PostgresClient> {
  readonly client: Client;
  readonly query: Query;
  readonly message: Message;
  /** Runs a function. After the time limit, ends the connection and rejects with `store-failed`. */
  within<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Ends an open transaction. Returns false if the connection was lost before. */
  rollBack(): Promise<boolean>;
  /** Returns the connection to its pool, or ends it if it cannot be used again. */
  release(): void;
}

/** Takes a connection from a pool. Rejects with `store-failed` after the time limit. */
export async function connect<Client extends PostgresClient>(
  pool: PostgresPool,
  timeoutMs: number,
): Promise<Connection<Client>> {
  // `ClientOf` derives the type of the connections from the type of the pool.
  let usable = true;
  let released = false;
  // Without a listener, the loss of the connection would end the process. The next statement reports it.
  const onError = (): void => {
    usable = false;
  };
  const client = (await take(pool, timeoutMs, onError)) as Client;

  function release(): void {
    if (released) return;
    released = true;
    client.removeListener('error', onError);
    client.release(!usable);
  }

  function destroy(): void {
    usable = false;
    release();
  }

  async function message(text: string): Promise<readonly (readonly Row[])[]> {
    const results = await client.query(text);
    return (Array.isArray(results) ? (results as (typeof results)[]) : [results]).map(({ rows }) =>
      rows.map(decodeRow),
    );
  }

  async function query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await client.query(text, values.map(encodeValue));
    return rows.map(decodeRow);
  }

  async function within<Result>(run: () => Promise<Result>): Promise<Result> {
    const outOfTime = createDeferred<never>();
    const timer = setTimeout(() => {
      outOfTime.reject(noAnswer(timeoutMs));
      destroy();
    }, timeoutMs);
    try {
      return await Promise.race([run(), outOfTime.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    client,
    query,
    message,
    within,
    async rollBack() {
      if (!usable) return false;
      let late = false;
      // A handler that did not end in time can still have a statement in progress, which delays this one.
      const timer = setTimeout(() => {
        late = true;
        destroy();
      }, timeoutMs);
      try {
        await client.query('ROLLBACK');
        return true;
      } catch {
        usable = false;
        return late;
      } finally {
        clearTimeout(timer);
      }
    },
    release,
  };
}

/**
 * Takes a connection and listens to its errors. The listener is attached in the callback of the pool: after a promise,
 * it would come too late for a connection that the server ends at once.
 */
async function take(
  pool: PostgresPool,
  timeoutMs: number,
  onError: () => void,
): Promise<PostgresClient> {
  const { promise, resolve, reject } = createDeferred<PostgresClient>();
  let waiting = true;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reject(noAnswer(timeoutMs));
  }, timeoutMs);
  const accept = (client: PostgresClient): void => {
    if (!waiting) return;
    waiting = false;
    if (late) {
      client.release();
      return;
    }
    client.on('error', onError);
    resolve(client);
  };
  try {
    const returned = pool.connect((error, client) => {
      if (client === undefined) reject(error ?? new TypeError('The pool returned no connection'));
      else accept(client);
    });
    if (returned instanceof Promise) returned.then(accept, reject);
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

function noAnswer(timeoutMs: number): InboxError {
  return new InboxError('store-failed', `Postgres did not answer within ${timeoutMs} ms`);
}

function encodeValue(value: unknown): unknown {
  if (typeof value === 'string') return encodeText(value);
  if (value instanceof Uint8Array) return toBuffer(value);
  return Array.isArray(value) ? value.map(encodeValue) : value;
}

/** `pg` writes a Buffer as bytes, and another typed array only outside an array. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decodeRow(row: unknown): Row {
  if (typeof row !== 'object' || row === null)
    throw new TypeError('The pool returned a row that is not an object');
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'string' ? decodeText(value) : value,
    ]),
  );
}
