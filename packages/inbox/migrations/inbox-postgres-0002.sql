-- Version 2 of the tables of `postgresStore`. Run it as version 1.
-- identified: 1 if a worker identified the event, because its receiver could not.
-- ends: the number of interruptions since the last attempt with a result.
ALTER TABLE inbox_events
  ADD COLUMN identified integer NOT NULL DEFAULT 0,
  ADD COLUMN ends integer NOT NULL DEFAULT 0;
CREATE INDEX inbox_events_interrupted ON inbox_events (seq) WHERE ends > 0 AND state IN ('ready', 'retry');

INSERT INTO inbox_schema (version) VALUES (2);
