-- Version 3 of the tables of `postgresStore`. Run it as version 1.
-- rejection: JSON, how the delivery violates the contract, if that was the last failure.
ALTER TABLE inbox_events ADD COLUMN rejection text;

INSERT INTO inbox_schema (version) VALUES (3);
