/** A ratio, and the interval that has the median of such ratios with at least 95 % confidence. */
export interface RatioInterval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** The confidence that the ranks of the interval have; less than 0.95 for fewer than six ratios. */
  readonly confidence: number;
}

/**
 * Returns the median of ratios, and its interval between two order statistics: for 15 ratios, the 4th and the 12th. The
 * interval assumes no distribution, and depends on no random numbers: the number of ratios below the true median has a
 * binomial distribution.
 *
 * @see W. J. Conover, Practical Nonparametric Statistics, section 3.2.
 */
export function ratioInterval(ratios: readonly number[]): RatioInterval {
  const sorted = ratios.toSorted((a, b) => a - b);
  const count = sorted.length;
  if (count === 0) throw new RangeError('There is no ratio.');
  let rank = 1;
  while (rank + 1 <= count / 2 && confidenceOf(rank + 1, count) >= 0.95) rank += 1;
  const at = (position: number): number => sorted[position - 1] ?? Number.NaN;
  return {
    median: (at(Math.ceil((count + 1) / 2)) + at(Math.floor((count + 1) / 2))) / 2,
    low: at(rank),
    high: at(count + 1 - rank),
    confidence: confidenceOf(rank, count),
  };
}

/** Returns the probability that the median is between the value of a rank and the one of the same rank from the end. */
function confidenceOf(rank: number, count: number): number {
  let below = 0;
  let combinations = 1;
  for (let index = 0; index < rank; index += 1) {
    below += combinations;
    combinations = (combinations * (count - index)) / (index + 1);
  }
  return 1 - (2 * below) / 2 ** count;
}
