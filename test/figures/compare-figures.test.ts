import { expect, test } from 'vitest';
import { compareFigures, type Figures } from './compare-figures.ts';

const recorded: Figures = { bytes: 1000, folders: ['a', 'b'] };

test.each<readonly [name: string, measured: Figures, findings: readonly string[]]>([
  ['equal', { bytes: 1000, folders: ['b', 'a'] }, []],
  ['5 % more', { bytes: 1050, folders: ['a', 'b'] }, []],
  ['less', { bytes: 10, folders: ['a', 'b'] }, []],
  [
    'more than 5 % more',
    { bytes: 1051, folders: ['a', 'b'] },
    ['bytes: 1051, at most 1050 (1000 recorded, and 5 % of room).'],
  ],
  [
    'other entries',
    { bytes: 1000, folders: ['a', 'c', 'd'] },
    ['folders: c, d, not recorded.', 'folders: b no longer.'],
  ],
  [
    'other figures',
    { folders: ['a', 'b'], files: 1 },
    ['bytes: recorded, but not measured.', 'files: no figure is recorded.'],
  ],
  [
    'another kind of figure',
    { bytes: ['a'], folders: ['a', 'b'] },
    ['bytes: a number and a list.'],
  ],
])('%s', (_, measured, findings) => {
  expect(compareFigures(recorded, measured)).toEqual(findings);
});

test('a small count has room for one more only if 5 % of it is one', () => {
  expect(compareFigures({ threads: 4 }, { threads: 5 })).toHaveLength(1);
  expect(compareFigures({ threads: 20 }, { threads: 21 })).toEqual([]);
});
