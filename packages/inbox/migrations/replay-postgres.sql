-- Creates the table of `postgresReplayStore`. Run it as the role that owns the tables, then give the role of the
-- application its rights:
--   GRANT SELECT, INSERT, UPDATE, DELETE ON countersign_replay TO the_application;
CREATE TABLE IF NOT EXISTS "countersign_replay" (
  key text PRIMARY KEY,
  owner text,
  until timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS "countersign_replay_until" ON "countersign_replay" (until);
