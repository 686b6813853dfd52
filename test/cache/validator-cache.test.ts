import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { KeptValidatorCache } from '../../generator/cache/validator-cache.ts';
import type { ValidatorCode } from '../../generator/schema/validator-code.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-cache-'));
  path = join(folder, 'kept.validators');
});
afterEach(() => rm(folder, { recursive: true }));

/** Opens the cache as another process does: what this one knows is forgotten. */
async function open(): Promise<KeptValidatorCache> {
  vi.resetModules();
  const { openValidatorCache } = await import('../../generator/cache/validator-cache.ts');
  return await openValidatorCache(path);
}

const key = (name: string): string => name.padEnd(43, '0');
const code = (text: string): ValidatorCode => ({
  parts: [text, { prefix: 'values', text: '["\\n\u2028"]' }, ''],
  runtime: ['add'],
  formats: [],
  schemas: [],
});

async function keepTwo(): Promise<void> {
  const cache = await open();
  cache.add(key('a'), code('one'));
  cache.add(key('b'), code('two'));
  await cache.keep();
}

describe('the cache of validators', () => {
  test('has what an earlier process compiled', async () => {
    await keepTwo();
    const cache = await open();
    expect(cache.find(key('a'))).toEqual(code('one'));
    expect(cache.find(key('b'))).toEqual(code('two'));
    expect(cache.find(key('c'))).toBeUndefined();
  });

  test('drops what a run has not used', async () => {
    await keepTwo();
    const cache = await open();
    cache.find(key('a'));
    await cache.keep();
    expect((await open()).find(key('b'))).toBeUndefined();
    expect((await open()).find(key('a'))).toEqual(code('one'));
  });

  test.each<[string, (text: string) => string]>([
    ['another text in it', (text) => text.replace('"one"', '"own"')],
    ['an end that is missing', (text) => text.slice(0, text.indexOf('"runtime"'))],
    ['the hash of another entry', (text) => text.replace(key('a'), key('x'))],
    ['a line of something else', (text) => text.replace(/^a0.*$/mu, `${key('a')}{}`)],
    ['another toolkit', (text) => text.replace(/^.*\n/u, 'another\n')],
    ['nothing', () => ''],
  ])('does not find an entry with %s', async (_, damage) => {
    await keepTwo();
    await writeFile(path, damage(await readFile(path, 'utf8')));
    expect((await open()).find(key('a'))).toBeUndefined();
  });

  test('costs a run nothing where it cannot be written', async () => {
    path = join(folder, 'none', '\0', 'x');
    await keepTwo();
    expect((await open()).find(key('a'))).toBeUndefined();
  });
});
