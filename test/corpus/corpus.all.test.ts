import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsOf, isOtherSpecification, type CorpusRecord } from './record.ts';
import { smallContracts } from './sample.ts';

const script = fileURLToPath(new URL('run.ts', import.meta.url));
const contracts = fileURLToPath(new URL('contracts', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-corpus-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(): Promise<{ readonly out: string; readonly records: readonly CorpusRecord[] }> {
  const json = join(folder, 'corpus.json');
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=countersign-source',
    script,
    '--records',
    join(folder, 'records'),
    '--json',
    json,
    contracts,
  ]);
  return {
    out: stdout,
    records: JSON.parse(await readFile(json, 'utf8')) as readonly CorpusRecord[],
  };
}

test('every contract of a folder is generated, compiled, imported and judged, and none twice', async () => {
  const first = await run();
  const byName = new Map(first.records.map((record) => [record.document, record]));
  expect([...byName.keys()].toSorted()).toEqual([
    'contracts/alarms.yaml',
    'contracts/broken.yaml',
    'contracts/crates.yaml',
    'contracts/harbours.yaml',
    'contracts/kennels.yaml',
    'contracts/lamps.yaml',
    'contracts/lights.yaml',
    'contracts/meters.yaml',
    'contracts/old.json',
    'contracts/streetlights.yaml',
  ]);

  const passing = first.records
    .filter((record) => faultsOf(record).length === 0 && !isOtherSpecification(record))
    .map(({ document }) => document);
  expect(passing.toSorted()).toEqual(smallContracts.map((name) => `contracts/${name}.yaml`));

  const lights = byName.get('contracts/lights.yaml');
  expect(lights).toMatchObject({
    specification: 'OpenAPI 3.1.0',
    outcome: 'generated',
    counts: { operations: 1, functions: 1, webhooks: 1, notifications: 1, schemas: 1 },
    typeErrors: { nodenext: { count: 0 }, bundler: { count: 0 } },
    judged: { packages: 3, failures: [], examples: 3, accepted: 2 },
  });
  expect(lights?.diagnostics).toMatchObject({
    'warning[unusable-version]': 1,
    'warning[invalid-schema]': 1,
    'warning[invalid-example]': 1,
  });
  expect(lights && faultsOf(lights)).toEqual([]);

  const lamps = byName.get('contracts/lamps.yaml');
  expect(lamps && faultsOf(lamps)).toEqual([]);
  expect(lamps?.counts).toMatchObject({ operations: 0, webhooks: 1, notifications: 1 });

  for (const record of [lights, lamps])
    expect(record?.judged?.reached).toEqual({
      notifications: 1,
      handlers: 1,
      unions: 0,
      unmade: [],
      missed: [],
    });
  const alarms = byName.get('contracts/alarms.yaml');
  expect(alarms && faultsOf(alarms)).toEqual([]);
  expect(alarms?.counts).toMatchObject({ webhooks: 3, callbacks: 1, notifications: 4 });
  // The two webhooks of one path item cannot be distinguished; no text has both lengths that `never` requires.
  expect(alarms?.judged?.reached).toEqual({
    notifications: 4,
    handlers: 1,
    unions: 2,
    unmade: ['silent'],
    missed: [],
  });

  const broken = byName.get('contracts/broken.yaml');
  expect(broken && faultsOf(broken)).toEqual(['refused']);
  expect(broken?.shown.join()).toContain('unresolved-reference');

  // One of three operations needs a parameter that is missing; a schema that is missing accepts any value.
  const crates = byName.get('contracts/crates.yaml');
  expect(crates && faultsOf(crates)).toEqual([]);
  expect(crates?.counts).toMatchObject({ operations: 2, functions: 2 });
  expect(crates?.diagnostics).toMatchObject({
    'warning[unresolved-reference]': 3,
    'warning[remote-reference]': 1,
  });

  // What other projects write and toolkits tend to get wrong.
  for (const [name, counts, diagnostics] of [
    [
      'kennels',
      { operations: 3, functions: 3 },
      { 'warning[unknown-mapping]': 1, 'warning[ignored-header]': 1 },
    ],
    ['harbours', { operations: 1, functions: 1, webhooks: 1, notifications: 1 }, {}],
    ['streetlights', { schemas: 2 }, {}],
    ['meters', { schemas: 1 }, {}],
  ] as const) {
    const record = byName.get(`contracts/${name}.yaml`);
    expect(record && faultsOf(record), name).toEqual([]);
    expect(record?.counts, name).toMatchObject(counts);
    expect(record?.diagnostics, name).toEqual(expect.objectContaining(diagnostics));
    expect(record?.judged, name).toMatchObject({ failures: [], refused: [] });
  }

  const old = byName.get('contracts/old.json');
  expect(old && isOtherSpecification(old)).toBe(true);

  const second = await run();
  expect(second.out).toContain('10 contracts, 0 of them to be run');
  expect(second.records).toEqual(first.records);
}, 300_000);
