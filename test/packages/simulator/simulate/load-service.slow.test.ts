import { appendFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSimulator } from '@countersign/simulator';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { generate } from '../../../../generator/generate.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { readTree } from '../../../output/tree.ts';
import { repository } from '../../../targets/emit-project.ts';
import { configure, createCachedFolder, load } from './project.ts';

const ferry = join(repository, 'test/packages/simulator/ferry');
const files = { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml', workflows: ['flows.yaml'] };
let folder: string;

async function emittedFiles(): Promise<readonly string[]> {
  const names = await readdir(join(folder, 'node_modules/.cache/countersign'));
  return names
    .filter((name) => name.endsWith('.emitted.json'))
    .map((name) => join(folder, 'node_modules/.cache/countersign', name));
}

describe('loadService', () => {
  beforeEach(async () => {
    folder = await createCachedFolder();
    await cp(ferry, folder, { recursive: true });
  });

  it('loads a service that can be started', async () => {
    const { service, diagnostics, files: read } = await load(folder, files);
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
      ['info', 'ambiguous-notifications'],
      ['info', 'unsigned-kind'],
    ]);
    expect(read.map(({ path }) => path)).toEqual(expect.arrayContaining(['openapi.yaml']));
    expect(service?.operations.map(({ name }) => name)).toEqual([
      'issueToken',
      'listSailings',
      'createBooking',
      'findBooking',
    ]);
    expect(service?.workflows.map(({ id }) => id)).toEqual(['book']);
    if (service === undefined) throw new Error('There is no service.');
    const simulator = await createSimulator(service);
    onTestFinished(() => simulator.close());
    expect((await fetch(`${simulator.url}/token`, { method: 'POST' })).status).toBe(401);
  });

  it('only imports what it emitted if no file has changed, and reports the same', async () => {
    const first = await load(folder, files);
    const second = await load(folder, files);
    expect(first.steps).not.toEqual([]);
    expect(second.steps).toEqual([]);
    expect(second.service).toBe(first.service);
    expect(second.diagnostics).toEqual(first.diagnostics);
    expect(second.files.map(({ path }) => path).toSorted()).toEqual(
      first.files.map(({ path }) => path).toSorted(),
    );
  });

  it('reads a contract again in which a file has changed, and removes what was emitted before', async () => {
    await load(folder, files);
    const [before = ''] = await emittedFiles();
    const text = await readFile(join(folder, 'asyncapi.yaml'), 'utf8');
    await writeFile(join(folder, 'asyncapi.yaml'), text.replaceAll('seatsChanged', 'seatsLeft'));
    const { service, steps } = await load(folder, files);
    expect(steps).not.toEqual([]);
    expect(service?.notifications.map(({ name }) => name)).toContain('seatsLeft');
    const after = await emittedFiles();
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);
  });

  it('leaves the caches of generate as they are', async () => {
    const { status } = await generate(configure(files), { folder });
    expect(status).toBe('written');
    const caches = join(folder, 'node_modules/.cache/countersign');
    const before = await readTree(caches);
    expect(Object.keys(before).join(' ')).toMatch(/\.formatted\.json .*\.validators/u);
    await load(folder, files);
    expect(await readTree(caches)).toMatchObject(before);
  });

  it('distinguishes contracts of one folder', async () => {
    const all = await load(folder, files);
    const calls = await load(folder, { openapi: 'openapi.yaml' });
    expect(all.service?.notifications).toHaveLength(3);
    expect(calls.service?.notifications).toEqual([]);
    expect((await load(folder, files)).steps).toEqual([]);
  });

  it.each([
    ['changed', async (path: string) => await appendFile(path, ' ')],
    ['cut', async (path: string) => await writeFile(path, '{"simulator')],
    ['missing', async (path: string) => await rm(path)],
  ])('does not run emitted files that are %s', async (_, damage) => {
    await load(folder, files);
    const [emitted = ''] = await emittedFiles();
    const intact = await readFile(emitted, 'utf8');
    await damage(emitted);
    const { service, steps } = await load(folder, files);
    expect(steps).not.toEqual([]);
    expect(service?.operations).toHaveLength(4);
    expect(await readFile(emitted, 'utf8')).toBe(intact);
  });

  it('ignores a damaged record', async () => {
    await load(folder, files);
    const place = join(folder, 'node_modules/.cache/countersign');
    const records = (await readdir(place)).filter((name) => name.endsWith('.simulator.json'));
    expect(records).toHaveLength(1);
    for (const name of records) await writeFile(join(place, name), '{"runs":');
    expect((await load(folder, files)).service?.operations).toHaveLength(4);
  });

  it('returns the errors of a contract and no service', async () => {
    const text = await readFile(join(folder, 'openapi.yaml'), 'utf8');
    await writeFile(
      join(folder, 'openapi.yaml'),
      text.replace("'#/components/schemas/Booking'", "'#/components/schemas/Absent'"),
    );
    const { service, diagnostics, files: read } = await load(folder, files);
    expect(service).toBeUndefined();
    expect(diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([]);
    expect(read).not.toEqual([]);
  });
});

describe('loadService without node_modules', () => {
  it('keeps nothing', async () => {
    folder = await temporaryFolder();
    await cp(ferry, folder, { recursive: true });
    const before = await readdir(folder);
    const { service, steps } = await load(folder, files);
    expect(service?.operations).toHaveLength(4);
    expect(await readdir(folder)).toEqual(before);
    expect((await load(folder, files)).steps).toEqual(steps);
  });
});
