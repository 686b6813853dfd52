/**
 * The verdict on a pattern. `slow`: the time to match it can grow faster than the text. `undecided`: the pattern is too
 * large to be analyzed, or has syntax that is not.
 */
export type Verdict = (typeof verdicts)[number];

const verdicts = ['safe', 'slow', 'undecided'] as const;

/** Returns whether a value is a verdict. */
export function isVerdict(value: unknown): value is Verdict {
  return verdicts.some((verdict) => verdict === value);
}
