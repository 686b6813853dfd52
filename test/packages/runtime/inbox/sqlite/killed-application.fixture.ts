import { commit, sqliteStore } from '@countersign/runtime/inbox/sqlite';
import { serveApplication } from '../serve-application.ts';

const [path = ''] = process.argv.slice(2);

await serveApplication(sqliteStore(path), async (value) =>
  commit((database) => {
    database.prepare('INSERT INTO effects (value) VALUES (?)').run(value);
  }),
);
