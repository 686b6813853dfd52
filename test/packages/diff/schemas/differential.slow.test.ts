import { expect, test } from 'vitest';
import { rewritten, runPairs, summarize } from './differential.ts';

/** The number of pairs in the usual run; the whole is in `differential.all.test.ts`. */
const sample = 20;

test('no direction is missed in random pairs, and none is claimed without a value', () => {
  expect(summarize(runPairs(sample, 2))).toEqual({
    missed: [],
    unproven: [],
    isMostlyDecided: true,
  });
});

test('schemas that are rewritten are unchanged', () => {
  expect(rewritten(sample, 3)).toEqual([]);
});
