/**
 * The verdict on a pattern. `slow`: the time to match it can grow faster than the text. `undecided`: the pattern is too
 * large to be analyzed, or has syntax that is not.
 */
export type Verdict = 'safe' | 'slow' | 'undecided';
