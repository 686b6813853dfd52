import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { adapterRows } from './adapter-rows.ts';
import { KeepAlive } from './keep-alive.ts';
import { median } from './median.ts';
import { createNotifications, path, type SignedNotification } from './notifications.ts';

/** What one request costs the process of a server. */
export interface AdapterCost {
  readonly name: string;
  /** Of the processor, where the framework reads the body and answers 204. */
  readonly bareMicroseconds: number;
  /** Of the processor, where the receiver does the rest as well. */
  readonly receivingMicroseconds: number;
}

const connections = 16;

/** Rounds after which notifications come again: when 4,096 of a round are forgotten by a replay store. */
const windows = 3;

/** Sends signed notifications to each adapter and to its bare framework in turn; the first rounds only warm up. */
export async function benchAdapters(
  rounds: number,
  requests: number,
): Promise<readonly AdapterCost[]> {
  const all = (await createNotifications(windows * requests)).map(toRequest);
  const costs: AdapterCost[] = [];
  // A process for each, so that what one adapter does to the engine's optimizations is not another's cost.
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

/** Microseconds of the processor that a process has used until now. */
async function used(server: ChildProcess): Promise<number> {
  const answer = once(server, 'message');
  server.send('usage');
  const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
  return user + system;
}
