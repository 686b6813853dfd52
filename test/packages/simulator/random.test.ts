import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../packages/simulator/src/random.ts';

const seeds = [0, 1, 7, -1, 2 ** 31, 2 ** 40 + 5];

describe('a source of numbers', () => {
  it('gives the same numbers on every platform', () => {
    const random = createRandom(7);
    expect(random.integer(0, 1_000_000)).toBe(481_493);
    expect(random.text(12)).toBe('cFl5ocn0SANA');
    expect(random.uuid()).toBe('8d29b810-c3ce-4cc8-98b5-d9bcea3a6acd');
    expect(random.fork('other').integer(0, 1_000_000)).toBe(850_812);
  });

  it.each(seeds)('stays within the limits: seed %i', (seed) => {
    const random = createRandom(seed);
    for (let count = 0; count < 500; count += 1) {
      const fraction = random.fraction();
      expect(fraction >= 0 && fraction < 1).toBe(true);
      expect([3, 4, 5]).toContain(random.integer(3, 5));
      expect(['a', 'b']).toContain(random.pick(['a', 'b']));
    }
    expect(random.text(40)).toMatch(/^[A-Za-z0-9]{40}$/u);
    expect(random.uuid()).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u,
    );
  });

  it('forks by name, whatever was drawn before', () => {
    const random = createRandom(7);
    const first = random.fork('a').uuid();
    random.uuid();
    expect(random.fork('a').uuid()).toBe(first);
    expect(random.fork('b').uuid()).not.toBe(first);
    expect(createRandom(8).fork('a').uuid()).not.toBe(first);
    expect(random.fork('a').fork('b').uuid()).not.toBe(random.fork('b').fork('a').uuid());
  });

  it('has no equal forks among many names', () => {
    const random = createRandom(7);
    const drawn = Array.from({ length: 5_000 }, (_, index) =>
      random.fork(`delivery ${index}`).uuid(),
    );
    expect(new Set(drawn).size).toBe(5_000);
  });
});
