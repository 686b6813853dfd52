import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadContract, readContract } from '../../../generator/generate.ts';
import { deliveryLines } from '../../corpus/delivery-lines.ts';
import { repository } from '../emit-project.ts';
import { type Counts, countDeliveries } from './octokit/deliveries.ts';
import written from './octokit/deliveries.json' with { type: 'json' };
import { documentFile, overlayFile } from './octokit/read-document.ts';

let folder: string;
let document: ReadContract;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-deliveries-'));
  document = await read();
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

/** Reads the document of the service's webhooks, with an overlay if there is one. */
async function read(overlay?: string): Promise<ReadContract> {
  if (overlay !== undefined) await writeFile(join(folder, 'overlay.yaml'), overlay);
  const overlays = overlay === undefined ? [] : ['overlay.yaml'];
  const contract = { openapi: documentFile, overlays };
  return readContract({ contract, output: 'generated', targets: [], scope: '@github' }, folder);
}

async function count({ contract }: ReadContract): Promise<Counts> {
  if (contract === undefined) throw new TypeError('the contract has errors');
  const counts = await countDeliveries(contract);
  expect(counts).toMatchObject({ other: 0, missed: 0 });
  return counts;
}

test('no delivery of a known event is lost or mistaken: the document alone', async () => {
  expect(await count(document)).toEqual(written.document);
}, 120_000);

test('no delivery of a known event is lost or mistaken: the overlay as the warning shows it', async () => {
  const { help = '' } =
    document.diagnostics.find(({ code }) => code === 'indistinct-notifications') ?? {};
  expect(help).toContain('replace them by those that the service sends');
  const shown = await read(help.slice(help.indexOf('overlay: 1.0.0')));
  const codes = shown.diagnostics.map(({ code }) => code);
  expect(codes).not.toContain('indistinct-notifications');
  expect(codes).not.toContain('entangled-notifications');
  expect(await count(shown)).toEqual(written.shown);
}, 120_000);

test('no delivery of a known event is lost or mistaken: an overlay with the names of the events', async () => {
  const named = await read(await readFile(overlayFile, 'utf8'));
  const counts = await count(named);
  expect(counts.union).toBe(0);
  expect(counts).toEqual(written.events);
}, 120_000);

test('the documentation has these counts', async () => {
  const page = await readFile(join(repository, 'docs/corpus.md'), 'utf8');
  const normalize = (text: string): string => text.replaceAll(/-+/gu, '-').replaceAll(/ +/gu, ' ');
  expect(normalize(page)).toContain(normalize(deliveryLines().join('\n')));
});
