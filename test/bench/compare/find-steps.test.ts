import { expect, test } from 'vitest';
import { findSteps } from '../../../bench/compare/find-steps.ts';

type Figures = readonly (number | undefined)[];

async function stepsOf(figures: Figures, least = 2): Promise<readonly string[]> {
  const steps = await findSteps(figures.length, async (index) => figures[index], least);
  return steps.map(({ from, to, before, after }) => `${from}-${to}: ${before} to ${after}`);
}

test.each<readonly [name: string, figures: Figures, steps: readonly string[]]>([
  ['one step', [5, 5, 5, 9, 9, 9, 9], ['2-3: 5 to 9']],
  [
    'several, also downwards',
    [5, 9, 9, 9, 4, 4, 20],
    ['0-1: 5 to 9', '3-4: 9 to 4', '5-6: 4 to 20'],
  ],
  ['neighbours', [5, 9], ['0-1: 5 to 9']],
  ['many that are too small alone', [1, 2, 3, 4, 5, 6, 7], []],
  ['none', [5, 5, 5], []],
  ['one commit', [5], []],
  ['commits that cannot be measured', [5, undefined, 5, undefined, undefined, 9], ['2-5: 5 to 9']],
])('%s', async (_, figures, steps) => {
  expect(await stepsOf(figures)).toEqual(steps);
});

test('one step of many commits needs few measurements', async () => {
  const measured = new Set<number>();
  const figureAt = async (index: number): Promise<number> => {
    measured.add(index);
    return index < 700 ? 1 : 2;
  };
  expect(await findSteps(1000, figureAt, 1)).toHaveLength(1);
  expect(measured.size).toBeLessThan(15);
});

test('a history whose end cannot be measured is an error', async () => {
  await expect(stepsOf([5, undefined])).rejects.toThrow('cannot be measured');
});
