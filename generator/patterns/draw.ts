import { hash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Choices that depend on a key only, so that other parts of a value do not affect them. */
export interface Draw {
  /** Returns an integer between two limits, both inclusive. */
  integer(from: number, to: number): number;
  /** Returns an item of a list that is not empty. */
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** Creates the choices for a key, such as a seed and the location of a value. */
export function createDraw(key: string): Draw {
  const generator = xoroshiro128plus(hash('sha256', key, 'buffer').readInt32LE());
  const integer = (from: number, to: number): number => uniformInt(generator, from, to);
  return {
    integer,
    pick: (list) => list[integer(0, list.length - 1)] ?? list[0],
  };
}
