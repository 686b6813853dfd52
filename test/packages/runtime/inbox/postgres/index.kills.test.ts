import { describePostgresKills } from './postgres-kills.ts';

await describePostgresKills(1);
