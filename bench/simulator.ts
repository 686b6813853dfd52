import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createSimulator,
  type Journal,
  openSqliteJournal,
  type Service,
} from '@countersign/simulator';
import { freePort } from '../test/packages/runtime/inbox/replay/free-port.ts';
import { writeContracts } from './contracts.ts';
import { median } from './median.ts';
import { buildToolkit, installPeers } from './generation.ts';
import { end, firstLine, outputUntil } from './processes.ts';
import { ferry, loadFerry } from './simulator-service.ts';

/** The programs that run in processes of their own. */
const programs = {
  journal: new URL('./simulator-journal.ts', import.meta.url),
  load: new URL('./simulator-load.ts', import.meta.url),
  receiver: new URL('./simulator-receiver.ts', import.meta.url),
  peers: new URL('./peers/', import.meta.url),
  server: new URL('./simulator-server.ts', import.meta.url),
} as const;

/** How many calls or deliveries are done in a second. */
export interface Rate {
  readonly name: string;
  readonly perSecond: number;
}

/** Answers signed calls from another process, beside a bare server that answers the same client. */
export async function benchSimulatedCalls(calls: number): Promise<readonly Rate[]> {
  const service = await loadFerry();
  return [
    { name: 'a bare node:http server, nothing checked', perSecond: await floorOfCalls(calls) },
    { name: 'Prism: validated, not signed', perSecond: await prismRate(Math.ceil(calls / 10)) },
    { name: 'simulator: signed, checked, recorded', perSecond: await callRate(service, calls) },
    {
      name: 'simulator, with a journal in a file',
      perSecond: await withJournal((journal) => callRate(service, calls, journal)),
    },
  ];
}

/** Delivers signed notifications to a node:http receiver in another process, beside bare POST requests. */
export async function benchSimulatedDeliveries(count: number): Promise<readonly Rate[]> {
  const service = await loadFerry();
  const receiver = spawn(process.execPath, [fileURLToPath(programs.receiver)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const to = `http://127.0.0.1:${await firstLine(receiver)}`;
    return [
      { name: 'bare POST requests', perSecond: await postRate(to, count) },
      {
        name: 'simulator: planned, signed, recorded',
        perSecond: await playRate(service, to, count),
      },
    ];
  } finally {
    await end(receiver);
  }
}

/** Returns the peak memory in megabytes of a process whose journal has so many entries. */
export async function journalMemory(entries: number): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--conditions=countersign-source', fileURLToPath(programs.journal), String(entries)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const megabytes = Number(await firstLine(child));
  await once(child, 'close');
  return megabytes;
}

/** The milliseconds until `countersign simulate` of a contract is ready. */
interface Start {
  readonly name: string;
  /** With caches of Node only. */
  readonly first: number;
  /** The median of several starts that import what the first one compiled. */
  readonly warm: number;
}

/** Measures how long `countersign simulate` takes until it is ready. */
export async function benchStart(times: number, operations: number): Promise<readonly Start[]> {
  buildToolkit();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const contracts = (await writeContracts(folder, operations)).slice(0, 2);
    const rows: Start[] = [];
    for (const contract of contracts) {
      mkdirSync(join(contract.folder, 'node_modules'), { recursive: true });
      const first = await start(contract.folder);
      await start(contract.folder);
      const all: number[] = [];
      for (let run = 0; run < times; run += 1) all.push(await start(contract.folder));
      rows.push({ name: contract.name, first, warm: median(all) });
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function start(folder: string): Promise<number> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [cli, 'simulate', '--json', '--port', '0', '--console-port', '0'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const announced = await outputUntil(child, '\n}\n');
  const milliseconds = performance.now() - began;
  if (!announced.includes('"ok": true')) throw new Error(announced);
  await end(child, 'SIGINT');
  return milliseconds;
}

const cli = fileURLToPath(new URL('../generator/dist/cli.js', import.meta.url));

async function callRate(service: Service, calls: number, journal?: Journal): Promise<number> {
  const simulator = await createSimulator(service, {
    seed: 1,
    ...(journal === undefined ? {} : { journal }),
  });
  try {
    return await loadRate(simulator.url, simulator.credentials, calls);
  } finally {
    await simulator.close();
  }
}

async function floorOfCalls(calls: number): Promise<number> {
  const server = spawn(process.execPath, [fileURLToPath(programs.server)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    return await loadRate(`http://127.0.0.1:${await firstLine(server)}`, {}, calls);
  } finally {
    await end(server);
  }
}

/** Calls Prism with the same client. It validates parameters and bodies, and requires credentials without checking them. */
async function prismRate(calls: number): Promise<number> {
  installPeers();
  const port = await freePort();
  const contract = join(ferry, 'openapi.yaml');
  const program = 'node_modules/@stoplight/prism-cli/dist/index.js';
  const prism = spawn(
    process.execPath,
    [join(fileURLToPath(programs.peers), program), 'mock', '-p', String(port), contract],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    await outputUntil(prism, 'is listening');
    return await loadRate(`http://127.0.0.1:${port}`, {}, calls);
  } finally {
    await end(prism);
  }
}

async function loadRate(
  url: string,
  credentials: Readonly<Record<string, string>>,
  calls: number,
): Promise<number> {
  const options = JSON.stringify({ url, credentials, calls, connections: 32 });
  const child = spawn(
    process.execPath,
    ['--conditions=countersign-source', fileURLToPath(programs.load), options],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return Number(await firstLine(child));
}

async function playRate(service: Service, to: string, count: number): Promise<number> {
  const simulator = await createSimulator(service, { seed: 1, to });
  try {
    await simulator.play(simulator.plan({ count: Math.ceil(count / 5) }));
    const plan = simulator.plan({ count });
    const began = performance.now();
    const deliveries = await simulator.play(plan);
    const seconds = (performance.now() - began) / 1000;
    if (deliveries.some(({ state }) => state !== 'acknowledged'))
      throw new Error('The receiver refused a delivery.');
    return count / seconds;
  } finally {
    await simulator.close();
  }
}

async function postRate(to: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const body = Buffer.alloc(300, 'a');
  let sent = 0;
  const work = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      await new Promise<void>((resolve, reject) => {
        request(to, { method: 'POST', agent, headers: { 'content-length': body.length } })
          .on('response', (response) => response.resume().on('end', resolve))
          .on('error', reject)
          .end(body);
      });
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: 32 }, work));
  agent.destroy();
  return count / ((performance.now() - began) / 1000);
}

async function withJournal(action: (journal: Journal) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  try {
    return await action(journal);
  } finally {
    journal.close();
    rmSync(folder, { recursive: true });
  }
}
