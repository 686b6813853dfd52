import { expect, test } from 'vitest';
import { recordKey } from '../../generator/cache/run-record.ts';
import type { TargetEntry } from '../../generator/targets/target-entry.ts';
import type { Target } from '../../generator/targets/target.ts';

function keyOf(...targets: readonly TargetEntry[]): string | undefined {
  return recordKey({ contract: { openapi: 'a.yaml' }, output: 'out', targets });
}

const titles: Target = { name: 'titles', requires: [], fingerprint: ['titles.ts'], emit: () => [] };

test('a run with other options of a target is another run', () => {
  const keys = [
    keyOf('client'),
    keyOf({ use: 'client', nestedArrays: 'brackets' }),
    keyOf({ use: 'client', nestedArrays: 'repeat' }),
    keyOf(titles),
    keyOf({ use: titles, dates: 'string' }),
    keyOf({ use: titles, dates: 'date' }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).not.toContain(undefined);
});

test('an entry without options is the target', () => {
  expect(keyOf({ use: 'client' })).toBe(keyOf('client'));
  expect(keyOf({ use: titles })).toBe(keyOf(titles));
});

test('a target without files has no record, with and without options', () => {
  const always = { ...titles, fingerprint: [] };
  expect(keyOf(always)).toBeUndefined();
  expect(keyOf({ use: always, dates: 'date' })).toBeUndefined();
});
