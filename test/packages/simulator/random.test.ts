import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../packages/simulator/src/random.ts';
import { runsOf } from '../../some.ts';

describe('createRandom', () => {
  it('makes the same numbers of the same seed, and others of another', () => {
    const draw = (seed: number): readonly number[] => {
      const random = createRandom(seed).fork('a');
      return [random.fraction(), random.integer(0, 9), random.fraction()];
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it('makes the same numbers of the same text, and others of another', () => {
    expect(createRandom('a').uuid()).toBe(createRandom('a').uuid());
    expect(createRandom('a').uuid()).not.toBe(createRandom('b').uuid());
  });

  it('has no two equal forks among many', () => {
    const random = createRandom(1);
    const count = runsOf(200_000);
    const ids = Array.from({ length: count }, (_, index) => random.fork(`${index}`).uuid());
    expect(new Set(ids).size).toBe(count);
    expect(random.fork('a').fork('b').uuid()).not.toBe(random.fork('a b').uuid());
  });

  it.each([1, 2, 7, 1234])(
    'begins forks with similar names with numbers that are spread evenly: seed %i',
    (seed) => {
      const random = createRandom(seed);
      const counts = Array.from({ length: 20 }, () => 0);
      for (let index = 0; index < 2000; index += 1) {
        const cell = Math.floor(random.fork(`plan ${index}`).fraction() * 20);
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
      const chiSquared = counts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
      // The 0.1 % quantile of 19 degrees of freedom.
      expect(chiSquared).toBeLessThan(43.8);
    },
  );
});
