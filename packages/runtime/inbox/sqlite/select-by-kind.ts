import type { DatabaseSync } from 'node:sqlite';
import { integer, text, type Row } from '../row.ts';
import type { ClaimRequest, KindShare } from '../store.ts';

/** Returns the places of the events to claim, with what is limited by kind. */
export type SelectByKind = (
  request: ClaimRequest & { now: number },
  kinds: readonly KindShare[],
) => readonly Row[];

/**
 * Prepares the statements for a connection. They read the first events of each kind that has any, instead of the queue
 * of all: what a full kind has waiting is not visited.
 */
export function createSelectByKind(database: DatabaseSync): SelectByKind {
  // With statistics of a queue of one kind, SQLite would read the table in the order of seq.
  const claimable =
    "FROM inbox_events INDEXED BY inbox_events_kinds WHERE state IN ('ready', 'retry')";
  const firstKind = database.prepare(
    `SELECT kind ${claimable} AND kind IS NOT NULL ORDER BY kind LIMIT 1`,
  );
  const kindAfter = database.prepare(`SELECT kind ${claimable} AND kind > ? ORDER BY kind LIMIT 1`);
  const due = database.prepare(
    `SELECT seq, retry_at ${claimable} AND kind IS ? AND retry_at <= ? AND (ends = 0 OR ?)
     ORDER BY retry_at, seq LIMIT ?`,
  );
  const ready = database.prepare(
    `SELECT seq ${claimable} AND kind IS ? AND retry_at IS NULL AND (ends = 0 OR ?) ORDER BY seq LIMIT ?`,
  );

  /** Returns each kind that has events to claim, and `null` for those without a kind. */
  function* eachKind(): Generator<string | null> {
    yield null;
    let row = firstKind.get();
    while (row !== undefined) {
      const kind = text(row, 'kind');
      yield kind;
      row = kindAfter.get(kind);
    }
  }

  return ({ maxEvents, now, interrupted = 'any', ...request }, kinds) => {
    const { minRetries = Math.floor(maxEvents / 4), maxRetries = maxEvents } = request;
    const all = interrupted === 'any' ? 1 : 0;
    const shares = new Map<string | null, KindShare>(kinds.map((share) => [share.kind, share]));
    const retries: Row[] = [];
    const firsts: Row[] = [];
    for (const kind of eachKind()) {
      const share = shares.get(kind);
      if (share !== undefined && share.maxEvents <= 0) continue;
      const mostRetries = Math.min(maxRetries, share?.maxRetries ?? maxRetries);
      const retriesOfKind = due.all(kind, now, all, mostRetries);
      const firstsOfKind = ready.all(kind, all, maxEvents);
      const chosen = choose(retriesOfKind, firstsOfKind, {
        maxEvents: share?.maxEvents ?? Infinity,
        minRetries: share?.minRetries ?? 0,
      });
      retries.push(...chosen.retries);
      firsts.push(...chosen.firsts);
    }
    retries.sort((a, b) => integer(a, 'retry_at') - integer(b, 'retry_at'));
    firsts.sort((a, b) => integer(a, 'seq') - integer(b, 'seq'));
    const chosen = choose(retries.slice(0, maxRetries), firsts, { maxEvents, minRetries });
    return [...chosen.retries, ...chosen.firsts];
  };
}

/** Returns some failed events, then first attempts, and then further failed ones. */
function choose(
  retries: readonly Row[],
  firsts: readonly Row[],
  { maxEvents, minRetries }: { readonly maxEvents: number; readonly minRetries: number },
): { readonly retries: readonly Row[]; readonly firsts: readonly Row[] } {
  const atLeast = Math.min(minRetries, retries.length, maxEvents);
  const chosen = firsts.slice(0, maxEvents - atLeast);
  return { retries: retries.slice(0, maxEvents - chosen.length), firsts: chosen };
}
