/**
 * The SQL of each version of the tables of `postgresStore`. A version only adds what the code of the version before it can
 * ignore: both serve at the same time while an application is deployed. `store.migrate()` runs them. To run one with
 * `psql` as another role, print it: its first lines show how.
 */
export const migrations: readonly string[] = [
  String.raw`-- Version 1 of the tables of postgresStore. Run it as the role that owns the tables, with the schema of the inbox first
-- in the search path, and in one transaction:
--   psql --single-transaction -v ON_ERROR_STOP=1 -f 0001.sql
-- Then give the role of the application its rights:
--   GRANT SELECT, INSERT, UPDATE, DELETE ON inbox_receipts, inbox_events, inbox_identities, inbox_counts, inbox_audit
--     TO the_application;
--   GRANT SELECT ON inbox_schema TO the_application;
CREATE TABLE inbox_schema (
  version integer PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
);

-- In all text columns of the inbox, NUL is \0 and a backslash is \\: Postgres has no NUL in text.
CREATE TABLE inbox_receipts (
  id text PRIMARY KEY,
  received_at bigint NOT NULL,
  method text NOT NULL,
  target text NOT NULL,
  headers text NOT NULL,
  body bytea NOT NULL,
  verdict text,
  events integer NOT NULL
);

-- seq: within a queue, the order of the commits. An advisory lock of the queue is held from its assignment to the commit.
-- queue: a digest of the key, which can be longer than an entry of an index.
-- queued: the event has a place in the queue of its key, until it is handled, discarded or skipped.
-- claims: the number of claims, which is the token of the present one.
CREATE TABLE inbox_events (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  receipt_id text NOT NULL REFERENCES inbox_receipts (id),
  position integer NOT NULL,
  received_at bigint NOT NULL,
  kind text,
  order_key text,
  queue bigint,
  identity text,
  state text NOT NULL,
  queued boolean NOT NULL DEFAULT true,
  retry_at bigint,
  failed_at bigint,
  attempts integer NOT NULL DEFAULT 0,
  interruptions integer NOT NULL DEFAULT 0,
  claims integer NOT NULL DEFAULT 0,
  owner text,
  lease_until bigint,
  error text,
  finished_at bigint,
  UNIQUE (receipt_id, position)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
CREATE INDEX inbox_events_queue ON inbox_events (queue, seq) WHERE queued AND queue IS NOT NULL;
CREATE INDEX inbox_events_key ON inbox_events (queue) WHERE queue IS NOT NULL;
CREATE INDEX inbox_events_ready ON inbox_events (seq) WHERE state = 'ready';
CREATE INDEX inbox_events_retry ON inbox_events (retry_at) WHERE state = 'retry';
CREATE INDEX inbox_events_failed ON inbox_events (failed_at) WHERE state = 'retry';
CREATE INDEX inbox_events_working ON inbox_events (seq) WHERE state = 'working';
CREATE INDEX inbox_events_dead ON inbox_events (seq) WHERE state = 'dead';
CREATE INDEX inbox_events_unfinished ON inbox_events (received_at) WHERE finished_at IS NULL;
CREATE INDEX inbox_events_finished ON inbox_events (finished_at) WHERE finished_at IS NOT NULL;

-- identity: the SHA-256 digest of the identity.
CREATE TABLE inbox_identities (
  identity bytea PRIMARY KEY,
  event_id text NOT NULL,
  stored_at bigint NOT NULL,
  repetitions bigint NOT NULL DEFAULT 0
);
CREATE INDEX inbox_identities_age ON inbox_identities (stored_at);

CREATE TABLE inbox_audit (
  record bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  by text NOT NULL,
  action text NOT NULL,
  event_id text,
  detail text
);

-- Counting a million rows takes long. Each statement adds rows with its differences, so that no transaction waits for a
-- counter. The store adds them up from time to time.
CREATE TABLE inbox_counts (
  name text NOT NULL,
  events bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE FUNCTION inbox_count() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO inbox_counts (name, events) SELECT state, count(*) FROM added GROUP BY state;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO inbox_counts (name, events) SELECT state, -count(*) FROM removed GROUP BY state;
  ELSE
    INSERT INTO inbox_counts (name, events)
      SELECT state, sum(difference)
      FROM (SELECT state, 1 AS difference FROM added UNION ALL SELECT state, -1 FROM removed) AS changes
      GROUP BY state HAVING sum(difference) <> 0;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER inbox_count_inserted AFTER INSERT ON inbox_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION inbox_count();
CREATE TRIGGER inbox_count_changed AFTER UPDATE ON inbox_events
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION inbox_count();
CREATE TRIGGER inbox_count_deleted AFTER DELETE ON inbox_events
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION inbox_count();

INSERT INTO inbox_schema (version) VALUES (1);
`,
  String.raw`-- Version 2 of the tables of postgresStore. Receipts are stored meanwhile. Run it as the role that owns the tables,
-- with the schema of the inbox first in the search path, and not in a transaction:
--   PGOPTIONS='-c lock_timeout=200ms -c statement_timeout=0' psql -v ON_ERROR_STOP=1 -f 0002.sql
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
`,
  String.raw`-- Version 3 of the tables of postgresStore. Receipts are stored meanwhile. Run it as version 2:
--   PGOPTIONS='-c lock_timeout=200ms -c statement_timeout=0' psql -v ON_ERROR_STOP=1 -f 0003.sql
DO $$ BEGIN IF (SELECT max(version) FROM inbox_schema) <> 2 THEN RAISE 'The inbox does not have version 2'; END IF; END $$;
-- rejection: JSON, how the delivery violates the contract, if that was the last failure.
-- alerted: 1 if onDeadLetter has succeeded for the dead letter.
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
`,
];
