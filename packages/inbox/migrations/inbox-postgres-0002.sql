-- Version 2 of the tables of `postgresStore`. Receipts are stored meanwhile. Run it as the role that owns the tables,
-- with the schema of the inbox first in the search path, and not in a transaction:
--   PGOPTIONS='-c lock_timeout=200ms -c statement_timeout=0' psql -v ON_ERROR_STOP=1 -f inbox-postgres-0002.sql
-- If it is stopped, such as by the time limit of a lock, run it again.
DO $$ BEGIN IF (SELECT max(version) FROM inbox_schema) <> 1 THEN RAISE 'The inbox does not have version 1'; END IF; END $$;
-- identified: 1 if a worker identified the event, because its receiver could not.
-- ends: the number of interruptions since the last attempt with a result.
ALTER TABLE inbox_events
  ADD COLUMN IF NOT EXISTS identified integer NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS ends integer NOT NULL DEFAULT 0;
-- An index whose creation was interrupted is incomplete.
DROP INDEX CONCURRENTLY IF EXISTS inbox_events_interrupted;
CREATE INDEX CONCURRENTLY inbox_events_interrupted ON inbox_events (seq) WHERE ends > 0 AND state IN ('ready', 'retry');

INSERT INTO inbox_schema (version) VALUES (2);
