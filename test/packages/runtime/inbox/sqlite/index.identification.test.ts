import { describeIdentification } from '../identification.ts';
import { openSqlite } from './sqlite-harness.ts';

describeIdentification('SQLite', openSqlite);
