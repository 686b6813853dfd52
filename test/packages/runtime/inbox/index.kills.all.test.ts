import { describe } from 'vitest';
import { testApplicationKills } from './application-kills.ts';
import { describePostgres } from './postgres/postgres-kills.ts';
import { openKilled } from './sqlite/open-killed.ts';

const { INBOX_DELIVERIES = '10000', INBOX_KILLS = '100' } = process.env;
const size = { deliveries: Number(INBOX_DELIVERIES), kills: Number(INBOX_KILLS) };
const program = 'killed-application.fixture.ts';

describe('SQLite', () => {
  testApplicationKills(size, () => openKilled(program));
});

await describePostgres(program, (open) => testApplicationKills(size, open));
