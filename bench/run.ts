import { benchAdapters } from './adapters.ts';
import { bundleSize } from './bundle-size.ts';
import { benchClient } from './client.ts';
import { benchGeneration, peer } from './generation.ts';
import { benchGrowth } from './growth.ts';
import { benchBacklog, benchInbox, benchSlowDisk, type AcknowledgementCost } from './inbox.ts';
import { benchReference } from './reference.ts';
import { benchSigning } from './signing.ts';
import {
  benchSimulatedCalls,
  benchSimulatedDeliveries,
  benchStart,
  journalMemory,
  type Rate,
} from './simulator.ts';
import { benchSizes } from './sizes.ts';
import { benchTypeCheck } from './type-check.ts';
import { benchValidators } from './validators.ts';
import { benchWebhooks } from './webhooks.ts';

/** `npm run bench [-- section…]`: prints figures and asserts none. Run it on a machine without other load. */
const sections: Readonly<Record<string, () => Promise<void>>> = {
  async generation() {
    const costs = await benchGeneration(3);
    for (const name of new Set(costs.map(({ contract }) => contract))) {
      const rows = costs.filter(({ contract }) => contract === name);
      const base = rows.find(({ way }) => way === peer)?.cost;
      console.log(`generate, ${name}, median of 3 runs; × is of ${peer}`);
      table(rows, ({ way, cost }) => [
        way,
        {
          'wall s': (cost.wallMilliseconds / 1000).toFixed(2),
          '×': ratio(cost.wallMilliseconds, base?.wallMilliseconds),
          'CPU s': (cost.cpuMilliseconds / 1000).toFixed(2),
          'peak MB': Math.round(cost.peakMegabytes),
          '× MB': ratio(cost.peakMegabytes, base?.peakMegabytes),
        },
      ]);
    }
  },

  async types() {
    const costs = await benchTypeCheck(3);
    const base = costs.at(-1)?.cost;
    console.log('tsc over the code generated from GitHub REST, median of 3 runs');
    table(costs, ({ of, cost }) => [
      of,
      {
        'wall s': (cost.wallMilliseconds / 1000).toFixed(2),
        '×': ratio(cost.wallMilliseconds, base?.wallMilliseconds),
        'CPU s': (cost.cpuMilliseconds / 1000).toFixed(2),
        'peak MB': Math.round(cost.peakMegabytes),
      },
    ]);
  },

  async growth() {
    const costs = benchGrowth([100, 200, 400, 800], 3);
    const first = costs[0];
    console.log('generate, the first operations of GitHub REST, median of 3 runs');
    table(costs, ({ operations, cost }) => [
      String(operations),
      {
        'wall s': (cost.wallMilliseconds / 1000).toFixed(2),
        'CPU s': (cost.cpuMilliseconds / 1000).toFixed(2),
        'peak MB': Math.round(cost.peakMegabytes),
        '× CPU of the first': ratio(cost.cpuMilliseconds, first?.cost.cpuMilliseconds),
      },
    ]);
  },

  async sizes() {
    const costs = benchSizes(3);
    console.log('generate, one large part, at a size and at twice that size, median of 3 runs');
    table(costs, ({ of, count, cost }, index) => [
      `${count} ${of}`,
      {
        'CPU s': (cost.cpuMilliseconds / 1000).toFixed(2),
        'peak MB': Math.round(cost.peakMegabytes),
        '× CPU of half the size':
          index % 2 === 0
            ? ''
            : ratio(cost.cpuMilliseconds, costs[index - 1]?.cost.cpuMilliseconds),
      },
    ]);
  },

  async reference() {
    const costs = benchReference(3);
    const base = costs[0]?.cost;
    console.log('generate, GitHub REST, median of 3 runs; more is than without the page');
    table(costs, ({ targets, cost }) => [
      targets,
      {
        'wall s': (cost.wallMilliseconds / 1000).toFixed(2),
        'CPU s': (cost.cpuMilliseconds / 1000).toFixed(2),
        'peak MB': Math.round(cost.peakMegabytes),
        'more wall s': secondsMore(cost.wallMilliseconds, base?.wallMilliseconds),
        'more CPU s': secondsMore(cost.cpuMilliseconds, base?.cpuMilliseconds),
        'more MB': Math.round(cost.peakMegabytes - (base?.peakMegabytes ?? 0)),
      },
    ]);
  },

  async validators() {
    const throughputs = await benchValidators(1000);
    const byHand = throughputs.at(-1)?.perSecond;
    console.log('one due-date charge, accepted');
    table(throughputs, ({ name, perSecond }) => [
      name,
      {
        'per second': Math.round(perSecond),
        '× the hand-written check': ratio(perSecond, byHand),
      },
    ]);
  },

  async bundles() {
    const contract = '@instant-payment/contract';
    const imports = {
      'one enumeration guard': `export { isPixStatus } from '${contract}'`,
      'one small guard': `export { isToken } from '${contract}'`,
      'one notification guard': `export { isCharge } from '${contract}'`,
      'one assertion, with words': `export { assertCharge } from '${contract}'`,
      everything: `export * from '${contract}'`,
    };
    console.log('bytes in a bundle that imports');
    const sizes = await Promise.all(
      Object.entries(imports).map(async ([name, code]) => ({ name, size: await bundleSize(code) })),
    );
    table(sizes, ({ name, size }) => [name, size]);
  },

  async signing() {
    const costs = await benchSigning(1000);
    console.log('one request of half a kilobyte, signed and verified');
    table(costs, ({ name, perSecond, floorPerSecond }) => [
      name,
      {
        'per second': Math.round(perSecond),
        '× the HMAC alone over the same bytes': ratio(floorPerSecond, perSecond),
      },
    ]);
  },

  async calls() {
    const costs = await benchClient(2000);
    const bare = costs[0]?.cpuMicroseconds;
    console.log('one call to the same server, sequential');
    table(costs, ({ name, wallMicroseconds, cpuMicroseconds }) => [
      name,
      {
        'wall µs': Math.round(wallMicroseconds),
        'CPU µs': Math.round(cpuMicroseconds),
        '× CPU of the bare fetch': ratio(cpuMicroseconds, bare),
      },
    ]);
  },

  async deliveries() {
    const costs = await benchWebhooks(20, 10_000);
    const floor = costs[0]?.microseconds;
    console.log('one notification of 700 bytes, received');
    table(costs, ({ name, microseconds }) => [
      name,
      { µs: microseconds.toFixed(2), '× the floor': ratio(microseconds, floor) },
    ]);
  },

  async adapters() {
    const costs = await benchAdapters(12, 4096);
    const drain = costs[0]?.bareMicroseconds;
    console.log('one notification of 700 bytes, received by an adapter: CPU time of the server');
    table(costs, ({ name, bareMicroseconds, receivingMicroseconds }) => [
      name,
      {
        'bare µs': bareMicroseconds.toFixed(1),
        'receiving µs': receivingMicroseconds.toFixed(1),
        '× the bare framework': ratio(receivingMicroseconds, bareMicroseconds),
        'adds × a bare node:http drain': ratio(receivingMicroseconds - bareMicroseconds, drain),
      },
    ]);
  },

  async simulator() {
    console.log('signed calls, half of them POST, over 32 connections of another process');
    rateTable(await benchSimulatedCalls(20_000));
    console.log('signed notifications, delivered to a node:http receiver in another process');
    rateTable(await benchSimulatedDeliveries(20_000));
    console.log('countersign simulate, ready: the first start, and the median of 5 more');
    table(await benchStart(5), ({ name, first, warm }) => [
      name,
      { 'first, s': (first / 1000).toFixed(2), s: (warm / 1000).toFixed(2) },
    ]);
    console.log(
      `peak memory with 200,000 entries in the journal: ${await journalMemory(200_000)} MB`,
    );
  },

  async inbox() {
    console.log('one signed notification of 700 bytes, acknowledged, over 64 connections');
    acknowledgementTable(await benchInbox(20_000));
    console.log('the same where each synchronization with the disk takes 5 ms longer');
    acknowledgementTable(await benchSlowDisk(20_000, 5));
    const cost = await benchBacklog(1_000_000, 20_000);
    console.log(
      'SQLite, without HTTP: 20,000 events, in an empty inbox and with 1,000,000 waiting',
    );
    console.table({
      'received per second': {
        empty: Math.round(cost.emptyReceivedPerSecond),
        full: Math.round(cost.fullReceivedPerSecond),
        '×': ratio(cost.fullReceivedPerSecond, cost.emptyReceivedPerSecond),
      },
      'handled per second': {
        empty: Math.round(cost.emptyHandledPerSecond),
        full: Math.round(cost.fullHandledPerSecond),
        '×': ratio(cost.fullHandledPerSecond, cost.emptyHandledPerSecond),
      },
    });
    console.log(`peak memory of that process: ${cost.peakMegabytes} MB`);
  },
};

function acknowledgementTable(costs: readonly AcknowledgementCost[]): void {
  table(costs, (cost, index) => [
    cost.way,
    {
      'per second': Math.round(cost.perSecond),
      'p99 ms': cost.p99Milliseconds.toFixed(1),
      'CPU µs': cost.cpuMicroseconds.toFixed(1),
      '× CPU of the bare INSERT': cost.way.includes('with an inbox')
        ? ratio(cost.cpuMicroseconds, costs[index - 1]?.cpuMicroseconds)
        : '',
      'event loop p99 ms': cost.loopDelayMilliseconds.toFixed(1),
    },
  ]);
}

function rateTable(rates: readonly Rate[]): void {
  const floor = rates[0]?.perSecond;
  table(rates, ({ name, perSecond }) => [
    name,
    { 'per second': Math.round(perSecond), '× the floor': ratio(perSecond, floor) },
  ]);
}

function table<T>(
  rows: readonly T[],
  toRow: (row: T, index: number) => readonly [name: string, cells: unknown],
): void {
  console.table(Object.fromEntries(rows.map(toRow)));
}

function secondsMore(milliseconds: number, base = 0): string {
  return ((milliseconds - base) / 1000).toFixed(2);
}

function ratio(cost: number, base = Number.NaN): string {
  return (cost / base).toFixed(2);
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0)
  throw new Error(
    `no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}`,
  );
for (const [name, section] of Object.entries(sections))
  if (chosen.length === 0 || chosen.includes(name)) await section();
