/**
 * The verdict on a pattern. `slow`: the time to match it can grow faster than the text. `undecided`: the pattern is too
 * large to be analyzed, or has syntax that is not.
 */
export type Verdict = 'safe' | 'slow' | 'undecided';

/**
 * The pattern that code matches, or why it matches none. `unproven`: a search found no text that takes long, which is not a
 * proof, and the texts can be long.
 */
type CheckedPattern =
  | { readonly pattern: string; readonly verdict?: undefined }
  | { readonly pattern?: undefined; readonly verdict: Exclude<Verdict, 'safe'> | 'unproven' };

/**
 * The length of the longest text that is matched with a pattern that is not proven, and for which recheck finds no
 * attack. Its search overlooks attacks of quadratic time, which take little time with such a text.
 */
export const maxSearchedLength = 256;

/** What is known about the texts that patterns match. All of it depends on the patterns alone. */
export interface PatternProofs {
  /** Returns whether it is proven that no text matches both patterns. */
  readonly areDisjoint: (a: string, b: string) => boolean;
  /** Returns a text that a pattern matches; `undefined` where none is found. */
  readonly sampleOf: (pattern: string) => string | undefined;
}

/** The check of the patterns of a contract. */
export interface PatternCheck {
  /**
   * Returns what code matches for a pattern of ECMA-262.
   * @param maxLength the length of the longest text that is matched, in characters
   */
  (pattern: string, maxLength?: number): CheckedPattern;
  /** Left out where no pattern identifies anything. */
  readonly proofs?: PatternProofs;
}

/**
 * Returns whether a pattern is one of those that people mostly write: from the start of the text, characters with at
 * most a fixed count, of which the last can repeat. There is only one path to match it, so that it takes linear time.
 */
export function isSimple(pattern: string): boolean {
  return pattern.length <= 200 && simple.test(pattern);
}

const character = String.raw`(?:[^\\()[\]{}*+?|.^$]|\\[dDsSwW./+*?()[\]{}|^$\\-]|\.|\[\^?(?:[^\\[\]^]|\\.)+\])`;
const repeated = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})`;
const simple = new RegExp(
  `^\\^(?:${character}(?:\\{\\d+\\})?)*(?:${character}${repeated})?\\$?$`,
  'u',
);

/** Checks simple patterns, and takes none of the others. */
export const checkSimplePattern: PatternCheck = (pattern) =>
  isSimple(pattern) ? { pattern } : { verdict: 'undecided' };
