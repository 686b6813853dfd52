import { isProvenLinear } from './matching-cost.ts';
import { isSimple, maxSearchedLength, type PatternCheck, type Verdict } from './pattern-check.ts';
import { recheck } from './recheck.ts';
import { trimPattern } from './trim-pattern.ts';

/** A store of the verdicts of recheck, by pattern. */
export interface VerdictStore {
  find(pattern: string): Verdict | undefined;
  add(pattern: string, verdict: Verdict): void;
}

/**
 * The most patterns of a contract that are given to recheck, which takes up to a second for one. Contracts that people
 * write have at most some tens of them.
 */
const maxChecked = 100;

/**
 * Creates a function that makes patterns safe to match against texts of a sender. It keeps a pattern if one character of
 * a text takes a limited number of steps, whatever the text is. It replaces a pattern by one that matches the same texts
 * if only that one is proven. It keeps the others for short texts only, if recheck finds no attack. All of this depends on the patterns alone.
 */
export function createPatternCheck(store?: VerdictStore): PatternCheck {
  const verdicts = new Map<string, Verdict>();
  const judge = (pattern: string): Verdict => {
    const knownVerdict = verdicts.get(pattern) ?? store?.find(pattern);
    const verdict = knownVerdict ?? (verdicts.size < maxChecked ? recheck(pattern) : 'undecided');
    verdicts.set(pattern, verdict);
    if (knownVerdict === undefined) store?.add(pattern, verdict);
    return verdict;
  };
  return (pattern, maxLength) => {
    if (isSimple(pattern) || isProvenLinear(pattern, maxLength)) return { pattern };
    const trimmed = trimPattern(pattern);
    if (trimmed !== pattern && isProvenLinear(trimmed, maxLength)) return { pattern: trimmed };
    const verdict = judge(pattern);
    if (verdict !== 'safe') return { verdict };
    return maxLength !== undefined && maxLength <= maxSearchedLength
      ? { pattern }
      : { verdict: 'unproven' };
  };
}
