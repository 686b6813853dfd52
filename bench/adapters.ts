import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { adapterRows } from './adapter-rows.ts';
import { KeepAlive } from './keep-alive.ts';
import { median } from './median.ts';
import { createNotifications, path, type SignedNotification } from './notifications.ts';

/** The cost of one request for the process of a server. */
export interface AdapterCost {
  readonly name: string;
  /** CPU time of a bare server that reads the body and responds with 204. */
  readonly bareMicroseconds: number;
  /** CPU time of a server with the receiver. */
  readonly receivingMicroseconds: number;
}

const connections = 16;

/** The number of rounds after which notifications are sent again, when a replay store has dropped their keys. */
const windows = 3;

/** Sends signed notifications to each adapter and its bare framework alternately. The first rounds are a warm-up. */
export async function benchAdapters(
  rounds: number,
  requests: number,
): Promise<readonly AdapterCost[]> {
  const all = (await createNotifications(windows * requests)).map(toRequest);
  const costs: AdapterCost[] = [];
  // Each adapter has its own process, so that it does not affect the engine's optimizations for others.
  for (const { name } of adapterRows) costs.push(await benchAdapter(name, all, rounds));
  return costs;
}

async function benchAdapter(
  name: string,
  all: readonly Buffer[],
  rounds: number,
): Promise<AdapterCost> {
  const server = fork(fileURLToPath(new URL('./adapter-server.ts', import.meta.url)), [name]);
  try {
    const [ports] = (await once(server, 'message')) as [readonly number[]];
    const clients = await Promise.all(ports.map((port) => KeepAlive.connect(port, connections)));
    const times = ports.map((): number[] => []);
    const requests = all.length / windows;
    for (let round = 0; round < rounds + windows; round++) {
      const first = (round % windows) * requests;
      const sent = all.slice(first, first + requests);
      for (const [index, client] of clients.entries()) {
        const before = await used(server);
        await client.send(sent);
        const time = (await used(server)) - before;
        if (round >= windows) times[index]?.push(time / requests);
      }
    }
    for (const client of clients) client.close();
    const [bare = [], receiving = []] = times;
    return { name, bareMicroseconds: median(bare), receivingMicroseconds: median(receiving) };
  } finally {
    server.kill();
  }
}

function toRequest({ body, headers }: SignedNotification): Buffer {
  const names = ['apikey', 'x-timestamp', 'x-hmac-signature', 'content-length'];
  const lines = names.map((name) => `${name}: ${headers(name).join()}`);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: receiver.example',
    'user-agent: sender/1.0',
    'accept: */*',
    'content-type: application/json',
    ...lines,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** Returns the CPU time of a process so far, in microseconds. */
async function used(server: ChildProcess): Promise<number> {
  const answer = once(server, 'message');
  server.send('usage');
  const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
  return user + system;
}
