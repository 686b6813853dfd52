import { expect, test } from 'vitest';
import { rewritten, runPairs, summarize } from './differential.ts';

test.each([1, 2, 3])('200 random pairs of schemas have the verdicts of Ajv (seed %i)', (seed) => {
  expect(summarize(runPairs(200, seed))).toEqual({
    missed: [],
    unproven: [],
    isMostlyDecided: true,
  });
});

test('300 schemas that are rewritten are unchanged', () => {
  expect(rewritten(300, 11)).toEqual([]);
});
