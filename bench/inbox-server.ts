import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { createInbox } from '@countersign/runtime/inbox';
import { postgresStore } from '@countersign/runtime/inbox/postgres';
import { sqliteStore } from '@countersign/runtime/inbox/sqlite';
import { createWebhooks, verifySignature, type WebhookOptions } from '@instant-payment/webhooks';
import { toNodeHandler } from '@instant-payment/webhooks/node';
import pg from 'pg';
import { apikey, key, toleranceMs } from './notifications.ts';

/**
 * Serves one way to receive notifications: `node inbox-server.ts <way> <file or URL of the database>`. Sends its port,
 * and on each message its CPU time and the delay of its event loop since the last one.
 */
export interface ServerUsage {
  readonly cpuMicroseconds: number;
  /** 99 of 100 delays of the event loop were shorter, in milliseconds. */
  readonly loopDelayMilliseconds: number;
}

const [way = '', place = ''] = process.argv.slice(2);
const authenticate = verifySignature({ keys: [key], headers: { apikey }, toleranceMs });

/** Stores each request by one statement, as it is, without authentication. */
function toListener(insert: (body: Buffer) => unknown): RequestListener {
  return (request, response) => {
    void buffer(request)
      .then(insert)
      .then(() => response.writeHead(204).end());
  };
}

function receive(options: WebhookOptions): RequestListener {
  return toNodeHandler(createWebhooks(options).receive);
}

const ways: Readonly<Record<string, () => Promise<RequestListener>>> = {
  'receiver without an inbox': async () =>
    receive({
      authenticate,
      deliveryIdentity: 'every-delivery',
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
    }),
  'SQLite: a bare INSERT': async () => {
    const database = new DatabaseSync(place);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec('CREATE TABLE deliveries (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT');
    const statement = database.prepare('INSERT INTO deliveries (body) VALUES (?)');
    return toListener((body) => statement.run(body));
  },
  'SQLite: receiver with an inbox': async () =>
    receive({ authenticate, inbox: createInbox({ store: sqliteStore(place) }) }),
  'Postgres: a bare INSERT': async () => {
    const pool = new pg.Pool({ connectionString: place, max: 20 });
    await pool.query('CREATE TABLE deliveries (id bigserial PRIMARY KEY, body bytea NOT NULL)');
    const text = 'INSERT INTO deliveries (body) VALUES ($1)';
    return toListener((body) => pool.query({ name: 'insert', text, values: [body] }));
  },
  'Postgres: receiver with an inbox': async () => {
    const store = postgresStore(new pg.Pool({ connectionString: place, max: 20 }));
    await store.migrate();
    return receive({ authenticate, inbox: createInbox({ store }) });
  },
};

const create = ways[way];
if (create === undefined) throw new Error(`There is no way ${way}.`);
const server = createServer({ keepAliveTimeout: 0 }, await create()).listen(0, '127.0.0.1');
await once(server, 'listening');
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const usage: ServerUsage = {
    cpuMicroseconds: user + system,
    // The timer itself waits for its resolution.
    loopDelayMilliseconds: Math.max(0, delay.percentile(99) / 1e6 - 1),
  };
  delay.reset();
  process.send?.(usage);
});
process.send?.((server.address() as AddressInfo).port);
