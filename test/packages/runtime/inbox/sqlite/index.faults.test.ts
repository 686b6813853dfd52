import { describeWorkerFaults } from '../worker-faults.ts';
import { openSqlite } from './sqlite-harness.ts';

describeWorkerFaults('SQLite', openSqlite);
