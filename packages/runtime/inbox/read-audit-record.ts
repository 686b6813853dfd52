import { integer, optionalText, text, type Row } from './row.ts';
import type { AuditRecord } from './store.ts';

const actions: readonly AuditRecord['action'][] = [
  'retry',
  'replay',
  'discard',
  'reveal',
  'delete',
];

/** Reads a record from a row of `inbox_audit`. */
export function readAuditRecord(row: Row): AuditRecord {
  return {
    at: integer(row, 'at'),
    by: text(row, 'by'),
    action: readAction(text(row, 'action')),
    eventId: optionalText(row, 'event_id'),
    detail: optionalText(row, 'detail'),
  };
}

function readAction(value: string): AuditRecord['action'] {
  const action = actions.find((name) => name === value);
  if (action === undefined) throw new TypeError(`Unknown action ${value}`);
  return action;
}
