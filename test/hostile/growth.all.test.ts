import { workOf } from '../counted-work.ts';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../generator/cli/run.ts';
import { writeTree } from '../output/tree.ts';
import { isEveryTestRun, someOf } from '../some.ts';
import { growingShapes, smallContract, type GrowingShape } from './growing-shapes.ts';

/** The code whose work is counted: the toolkit in this process. Threads and libraries have their own limits. */
const toolkit = /\/(?:generator|packages)\/(?!.*node_modules)[\w/.-]+\.[jt]sx?$/u;

/** Commands that read a contract, by name. */
const commands = {
  lint: ['lint'],
  diff: ['diff', 'base.yaml', 'openapi.yaml'],
  pull: ['pull', 'ENDPOINT/openapi.yaml', '--allow-private', '--to', 'pulled'],
  check: ['check'],
  unstated: ['unstated'],
  explain: ['explain', 'told'],
  settle: ['settle', 'which-unit=m', '--dry-run'],
  generate: ['generate'],
  send: ['send', 'told', '--sample', '--to', 'ENDPOINT/'],
  simulate: 'simulate --to ENDPOINT/ --port 0 --no-console --deliveries 2 --seed 7'.split(' '),
  scaffold: ['scaffold', 'node', 'app', '--authenticate', 'shared-secret'],
  init: 'init started --contract openapi.yaml --scope @grown --yes --signature shared-secret'.split(
    ' ',
  ),
} satisfies Readonly<Record<string, readonly string[]>>;

/** A command that reads a contract. */
type GrowingCommand = keyof typeof commands;

/** Every command where every test runs; otherwise those of which each does what no other does. */
const names: readonly GrowingCommand[] = isEveryTestRun
  ? (Object.keys(commands) as readonly GrowingCommand[])
  : ['lint', 'diff', 'pull', 'simulate'];
/** The size of the first of two contracts, of which the other has twice the size. */
const size = 40;
let address = '';
let document = '';
let base: ReadonlyMap<GrowingCommand, number> = new Map();
const server = createServer((request, response) => {
  if (request.method === 'GET') response.end(document);
  else request.resume().on('end', () => response.end());
});

/** Returns the work of each command for a contract of a size. */
async function worksOf(
  shape: GrowingShape,
  count: number,
): Promise<ReadonlyMap<GrowingCommand, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-growth-'));
  try {
    document = toText(shape(count));
    const files = { 'openapi.yaml': document, 'base.yaml': toText(shape(count - 1)) };
    const config = {
      contract: { openapi: 'openapi.yaml' },
      scope: '@grown',
      output: 'generated',
      targets: ['contract', 'client', 'webhooks', 'webhooks-node', 'simulator', 'reference'],
    };
    await writeTree(folder, { ...files, 'countersign.config.json': JSON.stringify(config) });
    await mkdir(join(folder, 'node_modules'));
    const without = join(folder, 'without');
    await writeTree(without, files);
    const works = new Map<GrowingCommand, number>();
    for (const name of names) {
      const parameters = commands[name].map((word) => word.replace('ENDPOINT', address));
      const place = name === 'pull' || name === 'init' ? without : folder;
      let exitCode = -1;
      const work = await workOf(async () => {
        exitCode = await runInFolder(place, parameters);
      }, toolkit);
      expect([0, 1], `${name} of ${count}`).toContain(exitCode);
      works.set(name, work);
    }
    return works;
  } finally {
    await rm(folder, { recursive: true });
  }
}

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // What runs once in a process is not counted.
  await worksOf(smallContract, 2);
  base = await worksOf(smallContract, 2);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

describe('twice the contract costs at most 2.5 times the work', () => {
  test.each(someOf(10, Object.entries(growingShapes)))(
    '%s',
    async (_, shape) => {
      const works = await worksOf(shape, size);
      const doubled = await worksOf(shape, 2 * size);
      for (const [name, own = 0] of base) {
        const [once = 0, twice = 0] = [works.get(name), doubled.get(name)];
        // A small contract differs in what it has at all, not only in how much of it.
        const most = Math.max(2.5 * (once - own), 0) + 0.4 * own;
        expect(twice - own, `${name}: ${own}, ${once}, ${twice}`).toBeLessThan(most);
      }
      // A test that goes on after its end would add its work to that of the next one.
    },
    600_000,
  );
});

function toText(contract: ReturnType<GrowingShape>): string {
  return typeof contract === 'string' ? contract : JSON.stringify(contract, null, 1);
}

async function runInFolder(folder: string, parameters: readonly string[]): Promise<number> {
  return await run(parameters, {
    folder,
    environment: {},
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    out: () => undefined,
    error: () => undefined,
  });
}
