import { commit, sqliteStore } from '@countersign/runtime/inbox/sqlite';
import { runUntilHandled } from '../run-until-handled.ts';

const [path = '', deliveries = '[]'] = process.argv.slice(2);

await runUntilHandled(
  sqliteStore(path),
  async (event) => {
    const value = Buffer.from(event.body).toString();
    return commit((database) => {
      database.prepare('INSERT INTO effects (value) VALUES (?)').run(value);
    });
  },
  JSON.parse(deliveries),
);
