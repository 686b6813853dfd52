import { maxAlertDelayMs, readAlert } from '../alert.ts';
import { payloadColumns } from '../read-event.ts';
import { parseEventId } from '../receipt-id.ts';
import type { AlertReference, DeadLetterAlert } from '../store.ts';
import type { Query } from './connection.ts';
import { integerLiteral } from './encode-text.ts';
import type { PostgresSettings } from './options.ts';

/** Returns what a new dead letter sets. With `leaseMs`, the caller gives its first alert. */
export function alertAssignments({ now }: PostgresSettings, leaseMs: number | undefined): string {
  return leaseMs === undefined
    ? 'alerted = 0, alerts = 0, alert_at = 0'
    : `alerted = 0, alerts = 1, alert_at = ${now()} + ${integerLiteral(Math.trunc(leaseMs))}`;
}

/** Claims the alert about a dead letter. */
export async function claimAlert(
  query: Query,
  { tables, now }: PostgresSettings,
  leaseMs: number,
): Promise<DeadLetterAlert | undefined> {
  const find = (condition: string): string =>
    `SELECT seq FROM ${tables.events} WHERE state = 'dead' AND alerted = 0 AND ${condition}
     ORDER BY alert_at, seq LIMIT 1 FOR UPDATE SKIP LOCKED`;
  const [row] = await query(
    `WITH due AS MATERIALIZED (${find(`alert_at <= ${now()}`)}),
     -- A time that is later than any delay was written before the clock was set back.
     misdated AS MATERIALIZED (${find(`alert_at > ${now()} + ${maxAlertDelayMs}`)}),
     e AS (
       UPDATE ${tables.events} AS c SET alert_at = ${now()} + $1::bigint, alerts = alerts + 1
       WHERE c.seq = (SELECT seq FROM (SELECT seq FROM due UNION ALL SELECT seq FROM misdated) AS found LIMIT 1)
       RETURNING c.*
     )
     SELECT ${payloadColumns}, e.claims, e.alerts FROM e JOIN ${tables.receipts} AS r ON r.id = e.receipt_id`,
    [Math.trunc(leaseMs)],
  );
  return row && readAlert(row);
}

/** Ends an alert, or lets it be claimed again after a time. */
export async function settleAlert(
  query: Query,
  { tables, now }: PostgresSettings,
  { id, token, attempt }: AlertReference,
  outcome: 'given' | { readonly retryAfterMs: number },
): Promise<void> {
  const parsed = parseEventId(id);
  if (parsed === undefined) return;
  const assignments =
    outcome === 'given'
      ? 'alerted = 1, alert_at = 0'
      : `alert_at = ${now()} + ${integerLiteral(Math.trunc(outcome.retryAfterMs))}`;
  await query(
    `UPDATE ${tables.events} SET ${assignments}
     WHERE receipt_id = $1 AND position = $2 AND state = 'dead' AND claims = $3 AND alerts = $4`,
    [parsed.receiptId, parsed.position, token, attempt],
  );
}
