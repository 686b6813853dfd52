import type { Random } from './random.ts';
import type { Json } from 'countersign/kit';

/** A value that can take the place of another one. */
export interface FreshValue {
  readonly value: Json;
  /** Whether it is one of so few values that an earlier event may have it. */
  readonly isOneOfFew: boolean;
}

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const letters = digits + lower + upper;
const hexLower = `${digits}abcdef`;
const hexUpper = `${digits}ABCDEF`;
const alphabets = [
  letters,
  digits,
  digits + lower,
  digits + upper,
  hexLower,
  hexUpper,
  lower,
  upper,
] as const;

/** A value of so many bits is unique in practice: of a million, two are equal with a probability of 0.2 %. */
const uniqueBits = 48;

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iu;
const timestamp =
  /^\d{4}-\d{2}-\d{2}(?:([T ])\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/iu;

/** A date of this century within an identifier, with its time where it has one. */
const dates = /20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d[0-5]\d|2[0-3][0-5]\d)?/gu;

/**
 * Returns values for the place of another one: those first that are unique in practice, and among these those first
 * that look like it. The contract decides which of them it accepts.
 */
export function* freshValues(leaf: Json | undefined, random: Random): Generator<FreshValue> {
  if (typeof leaf === 'number') yield* freshNumbers(leaf, random);
  if (typeof leaf !== 'string') return;
  const few: DrawnText[] = [];
  for (const drawn of freshTexts(leaf, random))
    if (drawn.bits < uniqueBits) few.push(drawn);
    else yield { value: drawn.text, isOneOfFew: false };
  for (const { text } of few.toSorted((a, b) => b.bits - a.bits))
    yield { value: text, isOneOfFew: true };
}

/** Returns whether text is a date or a time rather than an identifier. */
export function isTimestamp(text: string): boolean {
  return timestamp.test(text);
}

function* freshNumbers(leaf: number, random: Random): Generator<FreshValue> {
  const limits = [9e15, 9e14, 2_147_483_647, 999_999_999, 999_999, 9_999, 999, 99, 9];
  for (const limit of limits)
    yield {
      value: random.integer(Math.floor(limit / 10), limit),
      isOneOfFew: Math.log2(limit) < uniqueBits,
    };
  for (const more of [1, 2, 3, 4, 5]) yield { value: leaf + more, isOneOfFew: true };
}

/** Text and the number of bits that were drawn for it. */
interface DrawnText {
  readonly text: string;
  readonly bits: number;
}

function* freshTexts(leaf: string, random: Random): Generator<DrawnText> {
  if (uuid.test(leaf)) {
    const other = random.uuid();
    yield { text: /[A-F]/u.test(leaf) ? other.toUpperCase() : other, bits: 122 };
  }
  if (isTimestamp(leaf)) yield* freshTimestamps(leaf, random);
  yield similarText(leaf, random);
  for (const before of prefixesOf(leaf)) {
    const rest = leaf.slice(before.length);
    const preferred = /^\d*$/u.test(rest) ? digits : letters;
    for (const alphabet of new Set([preferred, ...alphabets]))
      for (const length of new Set([rest.length, 15, 11]))
        yield drawText(alphabet, length, random, before);
  }
  yield { text: random.uuid(), bits: 122 };
  for (const alphabet of alphabets)
    for (const length of new Set([leaf.length, 64, 32, 24, 20]))
      yield drawText(alphabet, length, random);
  for (let count = 0; count < 10; count += 1) yield similarText(leaf, random);
}

/**
 * Returns the beginnings of an identifier that often name the type of the object, the longest first: what is before the
 * last separator, and what is before the first digit.
 */
function prefixesOf(text: string): readonly string[] {
  const [separated = ''] = /^.*[_:./-]/su.exec(text) ?? [];
  const [lettered = ''] = /^\D*/u.exec(text) ?? [];
  const prefixes = new Set([separated, lettered, '']);
  return [...prefixes].toSorted((a, b) => b.length - a.length);
}

/** The number of seconds of ten years. */
const tenYears = 315_360_000;

/** Returns times of ten years, or dates, in the format of another one. */
function* freshTimestamps(text: string, random: Random): Generator<DrawnText> {
  const [, separator, zone = ''] = timestamp.exec(text) ?? [];
  for (const digitCount of separator === undefined ? [0, 0, 0] : [9, 6, 3, 0]) {
    const seconds = random.integer(0, tenYears);
    const [date = '', time = ''] = new Date(Date.UTC(2016, 0, 1) + seconds * 1000)
      .toISOString()
      .slice(0, 19)
      .split('T');
    if (separator === undefined) yield { text: date, bits: Math.log2(tenYears / 86_400) };
    else {
      const start = `${date}${separator}${time}${digitCount === 0 ? '' : '.'}`;
      const { text: fraction, bits } = drawText(digits, digitCount, random);
      yield { text: `${start}${fraction}${zone}`, bits: Math.log2(tenYears) + bits };
    }
  }
}

/**
 * Returns text with other letters and digits of the same classes, or other hexadecimal digits. Its prefix and the dates
 * within it stay.
 */
function similarText(text: string, random: Random): DrawnText {
  const [prefix = ''] = /^\D*/u.exec(text) ?? [];
  const start = prefix.length < text.length ? prefix.length : 0;
  const rest = text.slice(start);
  const hex = hexAlphabetOf(rest);
  const kept = new Set(
    [...text.matchAll(dates)].flatMap(({ index, 0: date }) =>
      Array.from(date, (_, offset) => index + offset),
    ),
  );
  let bits = 0;
  const other = Array.from(text, (character, index) => {
    const alphabet = [digits, lower, upper].find((characters) => characters.includes(character));
    if (index < start || kept.has(index) || alphabet === undefined) return character;
    const drawn = drawText(hex ?? alphabet, 1, random);
    bits += drawn.bits;
    return drawn.text;
  }).join('');
  return { text: other, bits };
}

/** Returns the hexadecimal digits of a text. One of digits alone is decimal, and one of letters alone is a word. */
function hexAlphabetOf(text: string): string | undefined {
  if (!/\d/u.test(text) || !/[a-f]/iu.test(text)) return undefined;
  if (/^[\da-f]+$/u.test(text)) return hexLower;
  return /^[\dA-F]+$/u.test(text) ? hexUpper : undefined;
}

function drawText(alphabet: string, length: number, random: Random, before = ''): DrawnText {
  const characters = Array.from({ length }, () =>
    alphabet.charAt(random.integer(0, alphabet.length - 1)),
  );
  return { text: before + characters.join(''), bits: length * Math.log2(alphabet.length) };
}
