import { hash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { Random as EventRandom } from './sending/random.ts';

/** A source of numbers that a seed decides. */
export interface Random extends EventRandom {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number;
  /** Returns an element of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /**
   * Creates a source that depends on the seed and a name only, not on what was drawn before. Concurrent activities use
   * one each, so that their order does not matter.
   */
  fork(name: string): Random;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Creates a source of numbers. The same seed gives the same numbers on every platform.
 * @param seed a number of 32 bits, or text of any length, of which 128 bits decide the numbers
 */
export function createRandom(seed: number | string): Random {
  const generator =
    typeof seed === 'number'
      ? xoroshiro128plus(seed | 0)
      : xoroshiro128plusFromState(stateOf(seed));
  const integer = (from: number, to: number): number => uniformInt(generator, from, to);
  const pick = <T>(list: readonly T[]): T => list[integer(0, list.length - 1)] as T;
  return {
    fraction: () => uniformFloat64(generator),
    integer,
    pick,
    uuid() {
      const bytes = Array.from({ length: 16 }, () => integer(0, 255));
      bytes[6] = 0x40 | ((bytes[6] ?? 0) & 0x0f);
      bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
    },
    text: (length) =>
      Array.from({ length }, () => letters.charAt(integer(0, letters.length - 1))).join(''),
    // Of 100,000 sources with a state of 32 bits, two would be equal.
    fork: (name) => createRandom(hash('sha256', `${seed} ${name}`)),
  };
}

function stateOf(seed: string): readonly number[] {
  const digest = hash('sha256', seed, 'buffer');
  return [0, 4, 8, 12].map((offset) => digest.readInt32LE(offset));
}
