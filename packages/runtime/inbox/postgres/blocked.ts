import type { PostgresSettings } from './options.ts';

/** Returns a query of the events (`events`) and keys (`keys`) that wait for a later attempt, or for an operator. */
export function countBlocked({ tables, now }: PostgresSettings): string {
  const later = `state = 'retry' AND retry_at > ${now()}`;
  return `WITH heads AS MATERIALIZED (
      SELECT queue FROM ${tables.events} WHERE state = 'dead' AND queued AND queue IS NOT NULL
      UNION SELECT queue FROM ${tables.events} WHERE ${later} AND queue IS NOT NULL
    )
    SELECT (SELECT count(*) FROM heads) AS keys,
      (SELECT count(*) FROM ${tables.events} WHERE ${later})
      + (SELECT count(*) FROM heads JOIN ${tables.events} AS e ON e.queue = heads.queue
         WHERE e.queued AND e.queue IS NOT NULL AND e.state = 'waiting') AS events`;
}
