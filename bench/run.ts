import { parseArgs } from 'node:util';
import { benchAdapters } from './adapters.ts';
import { measured, tiny, type Amounts } from './amounts.ts';
import { bundleSize } from './bundle-size.ts';
import { benchClasses } from './classes.ts';
import { benchClient } from './client.ts';
import { bisectCounts } from './compare/bisect.ts';
import { comparedSections, compareRevisions } from './compare/compare.ts';
import { benchFootprint } from './footprint.ts';
import { benchGeneration, peer } from './generation.ts';
import { benchGrowth } from './growth.ts';
import { benchImports } from './imports.ts';
import {
  benchBacklog,
  benchEffects,
  benchInbox,
  benchReceiptsBesideWorker,
  benchSlowDisk,
  type AcknowledgementCost,
} from './inbox.ts';
import { benchPeers, guarantees } from './inbox-peers.ts';
import type { Cost } from './measure-command.ts';
import { printTable, type Row } from './print-table.ts';
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
import { benchStubs } from './stubs.ts';
import { benchTypeCheck } from './type-check.ts';
import { benchValidators } from './validators.ts';
import { benchBodies, benchWebhooks } from './webhooks.ts';

/**
 * `npm run bench [-- section…]` prints the tables of `docs/bench.md` and asserts no figure. Run it on a machine without
 * other load. With `--tiny`, each section does as little as possible, which shows only that it works.
 *
 * `npm run bench -- classes --document <file>` weighs what is generated from another OpenAPI document, and from others if
 * the option is given again.
 *
 * `npm run bench -- --compare <revision> [section…]` runs sections on another revision and on this repository in turn,
 * and prints counts and ratios of times; with `--counted` counts alone. `--bisect <revision>` prints the commits since
 * then that made counts grow.
 */
const sections: Readonly<Record<string, (amounts: Amounts) => Promise<void>>> = {
  async generation({ runs, operations }) {
    const costs = await benchGeneration(runs, operations);
    for (const name of new Set(costs.map(({ contract }) => contract))) {
      const rows = costs.filter(({ contract }) => contract === name);
      const base = rows.find(({ way }) => way === peer)?.cost;
      printTable(
        `Generation: ${name}, median of ${runs} runs; × is of ${peer}`,
        rows.map(({ way, cost, written }) => [
          way,
          {
            ...costCells(cost, base),
            '× MB': ratio(cost.peakMegabytes, base?.peakMegabytes),
            files: written.files,
            'MB written': (written.bytes / 1e6).toFixed(2),
          },
        ]),
      );
    }
  },

  async types({ runs, typedOperations }) {
    const costs = await benchTypeCheck(runs, typedOperations);
    const base = costs.at(-1);
    const of = `the code generated from ${typedOperations} operations of GitHub REST`;
    printTable(
      `tsc over ${of}, median of ${runs} runs`,
      costs.map((row) => [row.of, costCells(row.cost, base?.cost)]),
    );
    printTable(
      `tsserver, a file that imports ${of}, median of ${runs} edits`,
      costs.map((row) => [
        row.of,
        {
          'opened, s': seconds(row.edit.openMilliseconds),
          '× opened': ratio(row.edit.openMilliseconds, base?.edit.openMilliseconds),
          'one edit, ms': row.edit.editMilliseconds.toFixed(1),
          '× edit': ratio(row.edit.editMilliseconds, base?.edit.editMilliseconds),
          'peak MB': Math.round(row.edit.peakMegabytes),
        },
      ]),
    );
  },

  async imports({ runs }) {
    const costs = await benchImports(runs);
    const [floor] = costs;
    printTable(
      `Imports: the code generated from our contract, in a new process, median of ${runs} runs`,
      costs.map(({ of, modules, bytes, cost }) => [
        of,
        {
          modules,
          kB: (bytes / 1000).toFixed(1),
          'CPU ms': cost.cpuMilliseconds.toFixed(0),
          'more CPU ms': (cost.cpuMilliseconds - (floor?.cost.cpuMilliseconds ?? 0)).toFixed(0),
          'wall ms': cost.wallMilliseconds.toFixed(0),
          'peak MB': Math.round(cost.peakMegabytes),
        },
      ]),
    );
  },

  async footprint({ runs, operations }) {
    const footprints = await benchFootprint(runs, operations);
    const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
    const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
    printTable(
      `Footprint: the code generated from GitHub REST, imports are the median of ${runs} runs`,
      footprints.map(({ of, files, bytes, bytesOnDisk, operation, bundledImport, builtImport }) => [
        of,
        {
          files,
          MB: megabytes(bytes),
          'MB on disk': megabytes(bytesOnDisk),
          'one operation, kB': kilobytes(operation.minified),
          'gzipped kB': kilobytes(operation.gzipped),
          'import of a bundle, s': seconds(bundledImport.wallMilliseconds),
          'peak MB': Math.round(bundledImport.peakMegabytes),
          'import of built packages, s':
            builtImport === undefined ? '' : seconds(builtImport.wallMilliseconds),
        },
      ]),
    );
  },

  async classes({ operations, documents }) {
    const weights = await benchClasses(operations, documents);
    const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(3);
    for (const contract of new Set(weights.map((weight) => weight.contract)))
      printTable(
        `Generation: ${contract}, what is written, by class; × is of hey-api's types, sdk and zod`,
        weights
          .filter((weight) => weight.contract === contract)
          .map(({ of, own, peer: theirs }) => [
            of,
            {
              files: own.files,
              MB: megabytes(own.bytes),
              'gzipped MB': megabytes(own.gzipped),
              'hey-api: files': theirs.files,
              'hey-api: MB': megabytes(theirs.bytes),
              'hey-api: gzipped MB': megabytes(theirs.gzipped),
              '×': theirs.bytes === 0 ? '' : ratio(own.bytes, theirs.bytes),
            },
          ]),
      );
  },

  async stubs({ runs, operations }) {
    const costs = await benchStubs(runs, operations);
    printTable(
      `Generation: stubs of handlers for all packages, median of ${runs} runs; more is than loading ts-morph`,
      costs.map(({ contract, without, emitted }) => [
        contract,
        {
          'more wall s': seconds(emitted.wallMilliseconds - without.wallMilliseconds),
          'more CPU s': seconds(emitted.cpuMilliseconds - without.cpuMilliseconds),
        },
      ]),
    );
  },

  async growth({ growth, runs }) {
    const costs = benchGrowth(growth, runs);
    const [first] = costs;
    printTable(
      `Generation: operations of GitHub REST, median of ${runs} runs, and 1 above 1000 operations`,
      costs.map(({ operations, generated, checked }) => [
        String(operations),
        {
          'wall s': seconds(generated.wallMilliseconds),
          'CPU s': seconds(generated.cpuMilliseconds),
          'peak MB': Math.round(generated.peakMegabytes),
          '× CPU of the first': ratio(generated.cpuMilliseconds, first?.generated.cpuMilliseconds),
          'check: wall s': seconds(checked.wallMilliseconds),
          'check: CPU s': seconds(checked.cpuMilliseconds),
          'check: peak MB': Math.round(checked.peakMegabytes),
        },
      ]),
    );
  },

  async sizes({ runs, divisor }) {
    const costs = benchSizes(runs, divisor);
    printTable(
      `Generation: one large part, at a size and at twice that size, median of ${runs} runs`,
      costs.map(({ of, count, cost }, index) => [
        `${count} ${of}`,
        {
          'CPU s': seconds(cost.cpuMilliseconds),
          'peak MB': Math.round(cost.peakMegabytes),
          '× CPU of half the size':
            index % 2 === 0
              ? ''
              : ratio(cost.cpuMilliseconds, costs[index - 1]?.cost.cpuMilliseconds),
        },
      ]),
    );
  },

  async reference({ runs, operations }) {
    const costs = benchReference(runs, operations);
    const base = costs[0]?.cost;
    printTable(
      `Generation: GitHub REST, median of ${runs} runs; more is than without the page`,
      costs.map(({ targets, cost }) => [
        targets,
        {
          'wall s': seconds(cost.wallMilliseconds),
          'CPU s': seconds(cost.cpuMilliseconds),
          'peak MB': Math.round(cost.peakMegabytes),
          'more wall s': seconds(cost.wallMilliseconds - (base?.wallMilliseconds ?? 0)),
          'more CPU s': seconds(cost.cpuMilliseconds - (base?.cpuMilliseconds ?? 0)),
          'more MB': Math.round(cost.peakMegabytes - (base?.peakMegabytes ?? 0)),
        },
      ]),
    );
  },

  async validators({ milliseconds }) {
    const throughputs = await benchValidators(milliseconds);
    const byHand = throughputs.at(-1)?.perSecond;
    printTable(
      'Validators: one due-date charge, accepted',
      throughputs.map(({ name, perSecond }) => [
        name,
        {
          'per second': Math.round(perSecond),
          '× the hand-written check': ratio(perSecond, byHand),
        },
      ]),
    );
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
    const sizes = Object.entries(imports).map(async ([name, code]): Promise<Row> => [
      name,
      { ...(await bundleSize(code)) },
    ]);
    printTable('Bytes in a bundle that imports', await Promise.all(sizes));
  },

  async signing({ milliseconds }) {
    const costs = await benchSigning(milliseconds);
    printTable(
      'Signatures: one request of half a kilobyte, signed and verified',
      costs.map(({ name, perSecond, floorPerSecond }) => [
        name,
        {
          'per second': Math.round(perSecond),
          '× the HMAC alone over the same bytes': ratio(floorPerSecond, perSecond),
        },
      ]),
    );
  },

  async calls({ calls }) {
    const costs = await benchClient(calls);
    const bare = costs[0]?.cpuMicroseconds;
    printTable(
      'Calls: one call to the same server, sequential',
      costs.map(({ name, wallMicroseconds, cpuMicroseconds }) => [
        name,
        {
          'wall µs': Math.round(wallMicroseconds),
          'CPU µs': Math.round(cpuMicroseconds),
          '× CPU of the bare fetch': ratio(cpuMicroseconds, bare),
        },
      ]),
    );
  },

  async deliveries({ deliveries: { rounds, calls } }) {
    const costs = await benchWebhooks(rounds, calls);
    const floor = costs[0]?.microseconds;
    printTable(
      'Receivers: one notification of 700 bytes',
      costs.map(({ name, microseconds }) => [
        name,
        { µs: microseconds.toFixed(2), '× the floor': ratio(microseconds, floor) },
      ]),
    );
    const bodies = await benchBodies([1000, 100_000, 1_000_000], rounds, calls * 700);
    printTable(
      'Receivers: one notification by its size, without deduplication',
      bodies.map(({ bytes, floor: least, received }) => [
        `${bytes} bytes`,
        {
          'floor µs': least.toFixed(2),
          'receive µs': received.toFixed(2),
          '× the floor': ratio(received, least),
          '× of the first': ratio(received, bodies[0]?.received),
        },
      ]),
    );
  },

  async adapters({ adapters: { rounds, requests } }) {
    const costs = await benchAdapters(rounds, requests);
    printTable(
      'Adapters: one notification of 700 bytes, CPU time of the server',
      costs.map(({ name, bareMicroseconds, receivingMicroseconds, drainMicroseconds }) => [
        name,
        {
          'bare µs': bareMicroseconds.toFixed(1),
          'receiving µs': receivingMicroseconds.toFixed(1),
          '× the bare framework': ratio(receivingMicroseconds, bareMicroseconds),
          'adds × a bare node:http drain': ratio(
            receivingMicroseconds - bareMicroseconds,
            drainMicroseconds,
          ),
        },
      ]),
    );
  },

  async simulator({ operations, simulator: { count, starts, entries } }) {
    printRates(
      'Simulator: signed calls, half of them POST, over 32 connections of another process',
      await benchSimulatedCalls(count),
    );
    printRates(
      'Simulator: signed notifications to a node:http receiver in another process',
      await benchSimulatedDeliveries(count),
    );
    const costs = await benchStart(starts, operations);
    printTable(
      `countersign simulate, ready: the first start, and the median of ${starts} more`,
      costs.map(({ name, first, warm }) => [
        name,
        { 'first, s': seconds(first), s: seconds(warm) },
      ]),
    );
    const megabytes = await journalMemory(entries);
    printTable('Simulator: memory', [
      [`${entries} entries in the journal`, { 'peak MB': megabytes }],
    ]);
  },

  async inbox({ runs, inbox: { count, backlog } }) {
    printAcknowledgements(
      'Inbox: one signed notification of 700 bytes, acknowledged, over 64 connections',
      await benchInbox(count),
    );
    printAcknowledgements(
      'Inbox: the same where each synchronization with the disk takes 5 ms longer',
      await benchSlowDisk(count, 5),
    );
    printTable(
      `Inbox: ${count} events in SQLite handled, 64 at a time, each with one row of effect`,
      (await benchEffects(count, 5)).map((cost) => [
        cost.way,
        {
          'per second': Math.round(cost.perSecond),
          'CPU µs of the process': cost.cpuMicroseconds.toFixed(1),
          'event loop p99 ms': cost.loopDelayMilliseconds.toFixed(1),
          guarantee: cost.guarantee,
        },
      ]),
    );
    const peers = await benchPeers(count, runs);
    for (const keys of new Set(peers.map((cost) => cost.keys))) {
      const order = keys === 0 ? 'without order' : `of ${keys} ordered keys`;
      const rows = peers.filter((cost) => cost.keys === keys);
      printTable(
        `Inbox: ${count} events in Postgres ${order}, 64 at a time in each process, with one row of effect, median of ${runs} runs`,
        rows.map(({ library, processes, perSecond, cpuMicroseconds }) => [
          `${library}, ${processes === 1 ? 'one process' : `${processes} processes`}`,
          {
            'per second': Math.round(perSecond),
            '× graphile-worker': ratio(
              perSecond,
              rows.find((row) => row.library === 'graphile-worker' && row.processes === processes)
                ?.perSecond,
            ),
            'CPU µs of the processes': Math.round(cpuMicroseconds),
            guarantee: guarantees[library],
          },
        ]),
      );
    }
    printTable(
      'Inbox: 2,000 receipts a second in SQLite',
      (await benchReceiptsBesideWorker(count)).map((cost) => [
        cost.way,
        {
          'p99 ms': cost.p99Milliseconds.toFixed(1),
          'not handled at the end': cost.backlog,
          'event loop p99 ms': cost.loopDelayMilliseconds.toFixed(1),
        },
      ]),
    );
    const cost = await benchBacklog(backlog, count);
    const cells = (empty: number, full: number): Row[1] => ({
      'empty inbox': Math.round(empty),
      [`${backlog} events waiting`]: Math.round(full),
      '×': ratio(full, empty),
    });
    printTable(`Inbox: ${count} events in SQLite, without HTTP`, [
      ['received per second', cells(cost.emptyReceivedPerSecond, cost.fullReceivedPerSecond)],
      ['handled per second', cells(cost.emptyHandledPerSecond, cost.fullHandledPerSecond)],
      ['peak MB', { [`${backlog} events waiting`]: cost.peakMegabytes }],
    ]);
  },
};

function costCells(cost: Cost, base: Cost | undefined): Row[1] {
  return {
    'wall s': seconds(cost.wallMilliseconds),
    '×': ratio(cost.wallMilliseconds, base?.wallMilliseconds),
    'CPU s': seconds(cost.cpuMilliseconds),
    'peak MB': Math.round(cost.peakMegabytes),
  };
}

function printAcknowledgements(title: string, costs: readonly AcknowledgementCost[]): void {
  printTable(
    title,
    costs.map((cost, index) => [
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
    ]),
  );
}

function printRates(title: string, rates: readonly Rate[]): void {
  const floor = rates[0]?.perSecond;
  printTable(
    title,
    rates.map(({ name, perSecond }) => [
      name,
      { 'per second': Math.round(perSecond), '× the floor': ratio(perSecond, floor) },
    ]),
  );
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}

function ratio(cost: number, base = Number.NaN): string {
  return (cost / base).toFixed(2);
}

const { values, positionals: chosen } = parseArgs({
  options: {
    tiny: { type: 'boolean', default: false },
    compare: { type: 'string' },
    counted: { type: 'boolean', default: false },
    bisect: { type: 'string' },
    document: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
const amounts = { ...(values.tiny ? tiny : measured), documents: values.document };
const revision = values.compare ?? values.bisect;
const names = revision === undefined ? Object.keys(sections) : comparedSections;
const unknown = chosen.filter((name) => !names.includes(name));
const failed = unknown.map((name) => `There is no section ${name}.`);
if (unknown.length > 0) failed.push(`The sections are ${names.join(', ')}.`);
else if (values.bisect !== undefined)
  await bisectCounts({ revision: values.bisect, sections: chosen, operations: amounts.bisected });
else if (values.compare !== undefined)
  compareRevisions({
    revision: values.compare,
    sections: chosen,
    operations: amounts.operations,
    pairs: values.counted ? 0 : amounts.pairs,
  });
else
  for (const [name, section] of Object.entries(sections)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    try {
      await section(amounts);
    } catch (error) {
      console.error(error);
      failed.push(`The section ${name} failed.`);
    }
  }
if (failed.length > 0) {
  console.error(failed.join('\n'));
  process.exitCode = 1;
}
