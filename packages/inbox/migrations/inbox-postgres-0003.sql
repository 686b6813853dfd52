-- Version 3 of the tables of `postgresStore`. Receipts are stored meanwhile. Run it as version 2:
--   PGOPTIONS='-c lock_timeout=200ms -c statement_timeout=0' psql -v ON_ERROR_STOP=1 -f inbox-postgres-0003.sql
DO $$ BEGIN IF (SELECT max(version) FROM inbox_schema) <> 2 THEN RAISE 'The inbox does not have version 2'; END IF; END $$;
-- rejection: JSON, how the delivery violates the contract, if that was the last failure.
-- alerted: 1 if `onDeadLetter` has succeeded for the dead letter.
-- alerts: the number of its calls. alert_at: the time before which no further one begins.
ALTER TABLE inbox_events
  ADD COLUMN IF NOT EXISTS rejection text,
  ADD COLUMN IF NOT EXISTS alerted integer NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS alerts integer NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS alert_at bigint NOT NULL DEFAULT 0;
-- For workers that limit kinds: what can be claimed of each kind. retry_at is NULL for first attempts. A kind can be
-- longer than an entry of an index.
DROP INDEX CONCURRENTLY IF EXISTS inbox_events_kinds;
CREATE INDEX CONCURRENTLY inbox_events_kinds
  ON inbox_events (coalesce(hashtextextended(kind, 0), 0), retry_at, seq)
  WHERE state IN ('ready', 'retry');
DROP INDEX CONCURRENTLY IF EXISTS inbox_events_alerts;
CREATE INDEX CONCURRENTLY inbox_events_alerts
  ON inbox_events (alert_at, seq) WHERE state = 'dead' AND alerted = 0;

INSERT INTO inbox_schema (version) VALUES (3);
