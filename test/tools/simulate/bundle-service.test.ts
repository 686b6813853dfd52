import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceDescription } from '@countersign/simulator';
import { expect, it } from 'vitest';
import { bundleService } from '../../../generator/tools/simulate/bundle-service.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { readContract } from '../../targets/client/emit-client.ts';
import { repository } from '../../targets/emit-project.ts';
import { configure } from './project.ts';

const files = { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' };
const ferry = join(repository, 'test/packages/simulator/ferry');

it('bundles a service as one module that imports nothing, with its validators', async () => {
  const contract = await readContract(files, ferry);
  const text = await bundleService(contract, configure(files), undefined, () => undefined);
  expect(text).not.toMatch(/^import |\brequire\(|\bimport\(/mu);
  // The folder has no packages: what the module imported would not be found.
  const path = join(await temporaryFolder(), 'service.mjs');
  await writeFile(path, text);
  const { service } = (await import(pathToFileURL(path).href)) as {
    readonly service: ServiceDescription;
  };
  expect(service).toMatchObject({ title: 'Ferry', version: '1.0.0' });
  const check = service.checks.get('Booking');
  const booking = { id: 'B1', sailing: 'S1', seats: 2, amount: 1, state: 'REQUESTED' };
  expect(check?.accepts(booking)).toBe(true);
  expect(check?.accepts({ ...booking, seats: 10 })).toBe(false);
  expect(check?.violations({ ...booking, seats: 10 })).toMatchObject([
    { pointer: '/seats', keyword: 'maximum' },
  ]);
  // The same contract gives the same text, so that caches can compare it.
  expect(await bundleService(contract, configure(files), undefined, () => undefined)).toBe(text);
});
