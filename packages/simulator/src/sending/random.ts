import { randomInt, randomUUID } from 'node:crypto';

/** A source of numbers that values of new events are made of. */
export interface Random {
  /** Returns an integer between two limits, both inclusive. */
  integer(from: number, to: number): number;
  /** Returns a UUID of version 4. */
  uuid(): string;
  /** Returns text of letters and digits. */
  text(length: number): string;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The source of the operating system: no two runs have the same numbers. */
export const systemRandom: Random = {
  integer: (from, to) => randomInt(from, to + 1),
  uuid: () => randomUUID(),
  text: (length) =>
    Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join(''),
};
