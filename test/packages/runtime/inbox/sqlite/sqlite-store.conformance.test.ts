import { describeAlerts } from '../alerts-conformance.ts';
import { describeDecisions } from '../decisions-conformance.ts';
import { describeKinds } from '../kinds-conformance.ts';
import { describeOperations } from '../operations-conformance.ts';
import { describeStore } from '../store-conformance.ts';
import { openSqlite } from './sqlite-harness.ts';

describeStore('SQLite', openSqlite);
describeOperations('SQLite', openSqlite);
describeDecisions('SQLite', openSqlite);
describeKinds('SQLite', openSqlite);
describeAlerts('SQLite', openSqlite);
