import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openKept } from '../../generator/cache/kept.ts';
import { createPatternCheck } from '../../generator/patterns/safe-pattern.ts';
import type { Verdict } from '../../generator/patterns/pattern-check.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';

const code = { parts: ['one', { prefix: 'values', text: '["\\n\u2028"]' }], runtime: ['add'] };

let path: string;
beforeEach(async () => {
  path = join(await temporaryFolder(), 'deep/kept.json');
});

async function keepTwo(): Promise<void> {
  const kept = await openKept(path, '8.1');
  kept.add('^(a|b)+$', 'safe');
  kept.add('code', code);
  await kept.keep();
}

async function find(...keys: readonly string[]): Promise<readonly unknown[]> {
  const kept = await openKept(path, '8.1');
  return keys.map((key) => kept.find(key));
}

describe('results that are kept between runs', () => {
  test('are found by a later run', async () => {
    await keepTwo();
    expect(await find('^(a|b)+$', 'code', 'other')).toEqual(['safe', code, undefined]);
  });

  test('are dropped where a run has not used them', async () => {
    await keepTwo();
    const kept = await openKept(path, '8.1');
    kept.find('code');
    await kept.keep();
    expect(await find('^(a|b)+$', 'code')).toEqual([undefined, code]);
  });

  test('are not written again where a run used the same', async () => {
    await keepTwo();
    const { ino, mtimeNs } = await stat(path, { bigint: true });
    const kept = await openKept(path, '8.1');
    kept.find('^(a|b)+$');
    kept.find('code');
    await kept.keep();
    expect(await stat(path, { bigint: true })).toMatchObject({ ino, mtimeNs });
  });

  test.each<[string, (text: string) => string]>([
    ['another text in it', (text) => text.replace('"one"', '"own"')],
    ['a missing end', (text) => text.slice(0, -5)],
    ['the hash of another toolkit', (text) => `x${text}`],
    ['values of another type', (text) => text.replace('"safe"', '1')],
    ['no first line', (text) => text.slice(text.indexOf('\n') + 1)],
    ['something else', () => '[]'],
    ['nothing', () => ''],
  ])('are not found in a file with %s', async (_, damage) => {
    await keepTwo();
    const text = await readFile(path, 'utf8');
    expect(damage(text)).not.toBe(text);
    await writeFile(path, damage(text));
    expect(await find('^(a|b)+$', 'code')).toEqual([undefined, undefined]);
  });

  test('are not found in another environment', async () => {
    await keepTwo();
    expect((await openKept(path, '8.2')).find('code')).toBeUndefined();
  });

  test('are neither read nor written without a path', async () => {
    const kept = await openKept<string>(undefined);
    kept.add('a', 'b');
    await kept.keep();
    expect((await openKept(undefined)).find('a')).toBeUndefined();
  });

  test('cost a run nothing where they cannot be written', async () => {
    path = join(path, '\0', 'x');
    await keepTwo();
    expect(await find('code')).toEqual([undefined]);
  });

  test('are used instead of a second analysis of a pattern', async () => {
    const pattern = '^([a-z]|a)+$';
    expect(createPatternCheck()(pattern, 100)).toEqual({ verdict: 'slow' });
    const verdicts = await openKept<Verdict>(path);
    // Only what was kept can state that this pattern is safe.
    verdicts.add(pattern, 'safe');
    await verdicts.keep();
    const check = createPatternCheck(await openKept<Verdict>(path));
    expect(check(pattern, 100)).toEqual({ pattern });
    // A kept verdict is that of a search, which is only used for short texts.
    expect(check(pattern)).toEqual({ verdict: 'unproven' });
  });
});
