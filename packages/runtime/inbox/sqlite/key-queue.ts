import type { DatabaseSync } from 'node:sqlite';
import type { ReceivedEvent } from '../receipt.ts';
import { integer, optionalInteger, text } from '../row.ts';

/** Keeps the events of one key in the order of their commits. Its methods run within a transaction. */
export interface KeyQueue {
  /** Returns whether the key has events that are not finished, or a dead event that it waits for. */
  occupied(key: string): boolean;
  /** Returns the key whose queue an event joins: its former one while that queue has events, `null` without a key. */
  keyOf(event: ReceivedEvent): string | null;
  /** Makes the first event of a key claimable, and no other, unless an event of the key is in work. */
  settle(key: string): void;
}

/** Prepares the statements for a connection. */
export function createKeyQueue(database: DatabaseSync): KeyQueue {
  const anyOfKey = database.prepare(
    'SELECT 1 FROM inbox_events WHERE queued = 1 AND order_key = ? LIMIT 1',
  );
  const workingOfKey = database.prepare(
    "SELECT 1 FROM inbox_events WHERE queued = 1 AND order_key = ? AND state = 'working' LIMIT 1",
  );
  const frontOfKey = database.prepare(
    `SELECT seq, state FROM inbox_events
     WHERE queued = 1 AND order_key = ? AND state IN ('ready', 'retry', 'dead') ORDER BY seq`,
  );
  const firstWaiting = database.prepare(
    `SELECT seq, retry_at FROM inbox_events
     WHERE queued = 1 AND order_key = ? AND state = 'waiting' ORDER BY seq LIMIT 1`,
  );
  const setState = database.prepare('UPDATE inbox_events SET state = ? WHERE seq = ?');

  const occupied = (key: string): boolean => anyOfKey.get(key) !== undefined;

  return {
    occupied,
    keyOf({ orderKey = null, formerOrderKey }) {
      return formerOrderKey !== undefined && occupied(formerOrderKey) ? formerOrderKey : orderKey;
    },
    settle(key) {
      if (workingOfKey.get(key) !== undefined) return;
      const front = frontOfKey.all(key);
      const waiting = firstWaiting.get(key);
      const next = waiting === undefined ? Infinity : integer(waiting, 'seq');
      const head = Math.min(next, ...front.map((row) => integer(row, 'seq')));
      // An operator can put an earlier event back in front of one that was claimable.
      for (const row of front)
        if (integer(row, 'seq') !== head && text(row, 'state') !== 'dead')
          setState.run('waiting', integer(row, 'seq'));
      if (waiting === undefined || head !== next) return;
      setState.run(optionalInteger(waiting, 'retry_at') === undefined ? 'ready' : 'retry', head);
    },
  };
}
