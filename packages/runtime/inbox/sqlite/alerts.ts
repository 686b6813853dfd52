import type { DatabaseSync } from 'node:sqlite';
import { maxAlertDelayMs, readAlert } from '../alert.ts';
import { eventColumns, payloadColumns } from '../read-event.ts';
import { parseEventId } from '../receipt-id.ts';
import { integer } from '../row.ts';
import type { AlertReference, DeadLetterAlert } from '../store.ts';
import { readUndamaged } from './claims.ts';

/** Reads and changes the alerts about dead letters. Every method runs within a transaction. */
export interface AlertOperations {
  claimAlert(now: number, leaseMs: number): DeadLetterAlert | undefined;
  /** Ends an alert, or lets it be claimed again at a time. */
  settleAlert(alert: AlertReference, at: number | undefined): void;
}

/** Prepares the statements for a connection. */
export function createAlerts(database: DatabaseSync): AlertOperations {
  // Without its receipt, an event has no identifier.
  const find = (condition: string) =>
    database.prepare(
      `SELECT seq FROM inbox_events AS e WHERE state = 'dead' AND alerted = 0 AND ${condition}
         AND EXISTS (SELECT 1 FROM inbox_receipts r WHERE r.receipt = e.receipt)
       ORDER BY alert_at, seq LIMIT 1`,
    );
  const due = find('alert_at <= ?');
  // A time that is later than any delay was written before the clock was set back.
  const misdated = find('alert_at > ?');
  const lease = database.prepare(
    'UPDATE inbox_events SET alert_at = ?, alerts = alerts + 1 WHERE seq = ?',
  );
  const load = (columns: string) =>
    database.prepare(
      `SELECT ${columns}, e.claims, e.alerts FROM inbox_events e JOIN inbox_receipts r USING (receipt)
       WHERE e.seq = ?`,
    );
  const [loadEvent, loadPayload] = [load(eventColumns), load(payloadColumns)];
  const settle = database.prepare(
    `UPDATE inbox_events SET alerted = ?, alert_at = ?
     WHERE receipt = (SELECT receipt FROM inbox_receipts WHERE id = ?) AND position = ?
       AND state = 'dead' AND claims = ? AND alerts = ?`,
  );
  return {
    claimAlert(now, leaseMs) {
      const dueRow = due.get(now) ?? misdated.get(now + maxAlertDelayMs);
      if (dueRow === undefined) return undefined;
      const seq = integer(dueRow, 'seq');
      lease.run(now + leaseMs, seq);
      const row = readUndamaged(() => loadPayload.get(seq)) ?? loadEvent.get(seq);
      return row && readAlert(row);
    },
    settleAlert({ id, token, attempt }, at) {
      const parsed = parseEventId(id);
      if (parsed === undefined) return;
      const alerted = at === undefined ? 1 : 0;
      settle.run(alerted, at ?? 0, parsed.receiptId, parsed.position, token, attempt);
    },
  };
}
