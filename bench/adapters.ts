import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { adapterRows, duplicateStatus, type AdapterRow } from './adapter-rows.ts';
import { KeepAlive } from './keep-alive.ts';
import { median } from './median.ts';
import { createNotifications, path, remembered, type SignedNotification } from './notifications.ts';
import { end, nextMessage } from './processes.ts';

/** The cost of one request for the process of a server. */
export interface AdapterCost {
  readonly name: string;
  /** CPU time of a bare server that reads the body and responds with 204. */
  readonly bareMicroseconds: number;
  /** CPU time of a server with the receiver. */
  readonly receivingMicroseconds: number;
  /** CPU time of a bare `node:http` server, measured in the same rounds, because the speed of a machine changes. */
  readonly drainMicroseconds: number;
}

const connections = 16;

const warmUps = 3;

/**
 * Sends signed notifications to each adapter, its bare framework and a bare `node:http` server alternately. The first
 * rounds are a warm-up.
 * @param requests the number of requests in each round
 */
export async function benchAdapters(
  rounds: number,
  requests: number,
): Promise<readonly AdapterCost[]> {
  // A notification is sent again when a replay store has dropped its key.
  const windows = Math.min(rounds + warmUps, Math.ceil(remembered / requests) + 1);
  const all = (await createNotifications(windows * requests)).map(toRequest);
  const costs: AdapterCost[] = [];
  // Each adapter has its own process, so that it does not affect the engine's optimizations for others.
  for (const row of adapterRows) costs.push(await benchAdapter(row, all, rounds, requests));
  return costs;
}

async function benchAdapter(
  { name, deduplicates = false }: AdapterRow,
  all: readonly Buffer[],
  rounds: number,
  requests: number,
): Promise<AdapterCost> {
  const server = fork(fileURLToPath(new URL('./adapter-server.ts', import.meta.url)), [name]);
  try {
    const ports = await nextMessage<readonly number[]>(server);
    const clients = await Promise.all(ports.map((port) => KeepAlive.connect(port, connections)));
    const times = ports.map((): number[] => []);
    for (let round = 0; round < rounds + warmUps; round++) {
      const first = (round * requests) % all.length;
      const sent = all.slice(first, first + requests);
      for (const [index, client] of clients.entries()) {
        const before = await used(server);
        await client.send(sent);
        const time = (await used(server)) - before;
        if (round >= warmUps) times[index]?.push(time / requests);
      }
    }
    for (const client of clients) client.close();
    await checkDuplicates(ports[1] ?? 0, all.slice(0, 1), deduplicates);
    const [bare = [], receiving = [], drain = []] = times;
    return {
      name,
      bareMicroseconds: median(bare),
      receivingMicroseconds: median(receiving),
      drainMicroseconds: median(drain),
    };
  } finally {
    await end(server);
  }
}

/** Sends a notification twice. Throws unless the second is refused exactly where the receiver deduplicates. */
async function checkDuplicates(
  port: number,
  sent: readonly Buffer[],
  deduplicates: boolean,
): Promise<void> {
  const client = await KeepAlive.connect(port, 1);
  let isRefused = false;
  for (let time = 0; time < 2; time++)
    await client.send(sent).catch((error: unknown) => {
      if (!String(error).includes(`HTTP/1.1 ${duplicateStatus} `)) throw error;
      isRefused = true;
    });
  client.close();
  if (isRefused !== deduplicates) throw new Error(`deduplicated: ${isRefused}`);
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
  const answer = nextMessage<NodeJS.CpuUsage>(server);
  server.send('usage');
  const { user, system } = await answer;
  return user + system;
}
