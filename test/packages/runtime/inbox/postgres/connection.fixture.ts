import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresStore } from '@countersign/runtime/inbox/postgres';
import { postgresReplayStore } from '@countersign/runtime/inbox/replay/postgres';
import pg from 'pg';

// Connects to a server that accepts each connection and ends it in the same packet. Prints what the calls reject with.

/** Returns a message of the protocol of Postgres: a letter, the length with itself, and the content. */
function encodeMessage(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const error = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection', '', ''].join('\0');
const answer = Buffer.concat([
  encodeMessage('R', Buffer.alloc(4)), // AuthenticationOk
  encodeMessage('Z', Buffer.from('I')), // ReadyForQuery
  encodeMessage('E', Buffer.from(error)),
]);
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => socket.end(answer));
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const { port } = server.address() as AddressInfo;
const pool = new pg.Pool({ connectionString: `postgres://a:b@127.0.0.1:${port}/c`, max: 3 });
pool.on('error', () => undefined);
const store = postgresStore(pool, { timeoutMs: 2000 });
const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  stats: () => store.stats(),
  claim: () => store.claim({ owner: 'worker', maxEvents: 1, leaseMs: 1000 }),
  receive: () =>
    store.receive({
      id: 'receipt',
      receivedAt: 0,
      method: 'POST',
      target: '/',
      headers: [],
      body: Buffer.of(),
      events: [{}],
    }),
  migrate: () => store.migrate(),
  replay: () => postgresReplayStore(pool, { timeoutMs: 2000 }).claim('key', 1000, 'owner'),
};
for (const [name, call] of Object.entries(calls)) {
  const code = await call().then(
    () => 'no error',
    (reason: unknown) => (reason as { readonly code: unknown }).code,
  );
  console.log(name, code);
}
// What is emitted later would end the process.
await delay(100);
await store.close();
await pool.end();
server.close();
