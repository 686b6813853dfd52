import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openVerdicts } from '../../generator/cache/pattern-verdicts.ts';
import { createPatternCheck } from '../../generator/schema/patterns/safe-pattern.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';

let path: string;
beforeEach(async () => {
  path = join(await temporaryFolder(), 'verdicts.json');
});

/** Writes the verdicts on two patterns. */
async function keepTwo(): Promise<void> {
  const verdicts = await openVerdicts(path);
  verdicts.add('^(a|b)+$', 'safe');
  verdicts.add('^(a|a)*$', 'slow');
  await verdicts.keep();
}

async function found(...patterns: readonly string[]): Promise<readonly (string | undefined)[]> {
  const verdicts = await openVerdicts(path);
  return patterns.map((pattern) => verdicts.find(pattern));
}

describe('the cache of pattern verdicts', () => {
  test('has the verdicts of an earlier run', async () => {
    await keepTwo();
    expect(await found('^(a|b)+$', '^(a|a)*$', '^c$')).toEqual(['safe', 'slow', undefined]);
  });

  test('is used instead of a second analysis', async () => {
    // Only the cache can state that this pattern is safe.
    const pattern = '^([a-z]|a)+$';
    const verdicts = await openVerdicts(path);
    expect(createPatternCheck(verdicts)(pattern)).toEqual({ verdict: 'slow' });
    await verdicts.keep();
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"slow"', '"safe"'));
    expect(createPatternCheck(await openVerdicts(path))(pattern)).toEqual({ pattern });
  });

  test('drops the verdicts that a run has not used', async () => {
    await keepTwo();
    const verdicts = await openVerdicts(path);
    verdicts.find('^(a|a)*$');
    await verdicts.keep();
    expect(await found('^(a|b)+$', '^(a|a)*$')).toEqual([undefined, 'slow']);
  });

  test('is not written again if a run used the same patterns', async () => {
    await keepTwo();
    const { ino, mtimeNs } = await stat(path, { bigint: true });
    const verdicts = await openVerdicts(path);
    verdicts.find('^(a|b)+$');
    verdicts.find('^(a|a)*$');
    await verdicts.keep();
    expect(await stat(path, { bigint: true })).toMatchObject({ ino, mtimeNs });
  });

  test.each<[string, (text: string) => string]>([
    ['another toolkit', (text) => text.replace(/"toolkit":\s*"/u, '$&x')],
    ['a missing end', (text) => text.slice(0, -5)],
    ['other verdicts', (text) => text.replaceAll(/"(?:safe|slow)"/gu, '"fast"')],
    ['patterns of another type', (text) => text.replaceAll(/"\^\(a\|[ab]\)[+*]\$"/gu, '1')],
    ['no list', (text) => text.replace(/"verdicts":\s*\[.*\]/su, '"verdicts":{}')],
    ['no object', () => '[]'],
  ])('is ignored with %s', async (_, damage) => {
    await keepTwo();
    const text = await readFile(path, 'utf8');
    expect(damage(text)).not.toBe(text);
    await writeFile(path, damage(text));
    expect(await found('^(a|b)+$', '^(a|a)*$')).toEqual([undefined, undefined]);
  });

  test('reads and writes nothing without a path', async () => {
    const verdicts = await openVerdicts(undefined);
    verdicts.add('^(a|b)+$', 'safe');
    await verdicts.keep();
    expect((await openVerdicts(undefined)).find('^(a|b)+$')).toBeUndefined();
  });
});
