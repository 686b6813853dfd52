-- Version 3 of the tables of `postgresStore`. Run it as version 1.
-- rejection: JSON, how the delivery violates the contract, if that was the last failure.
ALTER TABLE inbox_events ADD COLUMN rejection text;
-- For workers that limit kinds: what can be claimed of each kind. retry_at is NULL for first attempts. A kind can be
-- longer than an entry of an index.
CREATE INDEX inbox_events_kinds ON inbox_events (coalesce(hashtextextended(kind, 0), 0), retry_at, seq)
  WHERE state IN ('ready', 'retry');
-- alerted: 1 if `onDeadLetter` has succeeded for the dead letter.
-- alerts: the number of its calls. alert_at: the time before which no further one begins.
ALTER TABLE inbox_events
  ADD COLUMN alerted integer NOT NULL DEFAULT 0,
  ADD COLUMN alerts integer NOT NULL DEFAULT 0,
  ADD COLUMN alert_at bigint NOT NULL DEFAULT 0;
CREATE INDEX inbox_events_alerts ON inbox_events (alert_at, seq) WHERE state = 'dead' AND alerted = 0;

INSERT INTO inbox_schema (version) VALUES (3);
