import { maxGroups, type ChangePreview } from './change.ts';
import { readState } from './read-event.ts';
import { integer, optionalText, type Row } from './row.ts';

/** Returns the end of the query of a preview: groups of events `e`, most first. */
export const previewColumns: string =
  'e.kind, e.state, count(*) AS events, min(e.received_at) AS oldest, max(e.received_at) AS newest';

/** Reads a preview from the rows of `previewColumns`, grouped by kind and state, largest first. */
export function readPreview(rows: readonly Row[]): ChangePreview {
  const groups = rows.map((row) => ({
    kind: optionalText(row, 'kind'),
    state: readState(row, 'state'),
    events: integer(row, 'events'),
  }));
  const oldest = rows.map((row) => integer(row, 'oldest'));
  const newest = rows.map((row) => integer(row, 'newest'));
  const least = (times: readonly number[]): number => times.reduce((a, b) => Math.min(a, b));
  const most = (times: readonly number[]): number => times.reduce((a, b) => Math.max(a, b));
  return {
    events: groups.reduce((sum, { events }) => sum + events, 0),
    groups: groups.slice(0, maxGroups),
    oldestReceivedAt: oldest.length === 0 ? undefined : least(oldest),
    newestReceivedAt: newest.length === 0 ? undefined : most(newest),
  };
}
