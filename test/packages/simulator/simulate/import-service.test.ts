import { expect, it } from 'vitest';
import { emitService } from '../../../../packages/simulator/src/simulate/emit-service.ts';
import { importService } from '../../../../packages/simulator/src/simulate/import-service.ts';
import { readContract } from '../../../targets/client/emit-client.ts';
import { repository } from '../../../targets/emit-project.ts';
import { configure } from './project.ts';

const files = { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' };
const ferry = `${repository}/test/packages/simulator/ferry`;

it('imports a service from emitted texts, with its validators', async () => {
  const contract = await readContract(files, ferry);
  const texts = await emitService(contract, configure(files), undefined, () => undefined);
  const service = await importService(texts, 'first');
  expect(service).toMatchObject({ info: { title: 'Ferry', version: '1.0.0' } });
  const check = service.checks.get('Booking');
  const booking = { id: 'B1', sailing: 'S1', seats: 2, amount: 1, state: 'REQUESTED' };
  expect(check?.accepts(booking)).toBe(true);
  expect(check?.accepts({ ...booking, seats: 10 })).toBe(false);
  expect(check?.violations({ ...booking, seats: 10 })).toMatchObject([
    { pointer: '/seats', keyword: 'maximum' },
  ]);
  // The same contract gives the same texts, so that caches can compare them.
  expect(await emitService(contract, configure(files), undefined, () => undefined)).toEqual(texts);
});

it('distinguishes texts by their hash, and imports the same ones once', async () => {
  const describing = (title: string): Record<string, string> => ({
    'simulator/src/service.ts': `import { title } from '@simulated/contract';\nexport const service: { info: { title: string } } = { info: { title } };`,
    'contract/src/index.ts': `export * from './title.js';`,
    'contract/src/title.js': `export const title = ${JSON.stringify(title)};`,
  });
  const service = await importService(describing('one'), 'a1');
  expect(service.info.title).toBe('one');
  expect((await importService(describing('two'), 'b2')).info.title).toBe('two');
  expect(await importService(describing('one'), 'a1')).toBe(service);
});

it.each(['../../../absent.js', '@countersign/runtime/client'])(
  'does not import %s, which is not an emitted module',
  async (specifier) => {
    const texts = {
      'simulator/src/service.ts': `import '${specifier}';\nexport const service = {};`,
    };
    await expect(importService(texts, `hash-of-${specifier.length}`)).rejects.toThrow();
  },
);
