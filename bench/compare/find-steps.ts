/** Two neighbours in a history, between which a figure changed. */
export interface Step {
  /** The last commit with the former figure, as an index; commits after it can be without a figure. */
  readonly from: number;
  /** The first commit with the new figure. */
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Finds the commits at which a figure changed by at least `least`, by bisection: a range whose ends differ by less is
 * not searched, so that many small changes are not found one by one.
 *
 * @param count The number of commits, from the oldest to the newest.
 * @param figureAt Measures the figure of a commit; `undefined` if the commit cannot be measured.
 */
export async function findSteps(
  count: number,
  figureAt: (index: number) => Promise<number | undefined>,
  least: number,
): Promise<readonly Step[]> {
  const search = async (
    from: number,
    before: number,
    to: number,
    after: number,
  ): Promise<readonly Step[]> => {
    if (Math.abs(after - before) < least) return [];
    const middle = await measureBetween(from, to, figureAt);
    if (middle === undefined) return [{ from, to, before, after }];
    const { index, figure } = middle;
    const older = await search(from, before, index, figure);
    return [...older, ...(await search(index, figure, to, after))];
  };
  const [first, last] = [await figureAt(0), await figureAt(count - 1)];
  if (first === undefined || last === undefined)
    throw new Error('The first or the last commit cannot be measured.');
  return await search(0, first, count - 1, last);
}

/** Measures the commit in the middle of a range, or the next one to it that can be measured. */
async function measureBetween(
  from: number,
  to: number,
  figureAt: (index: number) => Promise<number | undefined>,
): Promise<{ readonly index: number; readonly figure: number } | undefined> {
  const middle = Math.floor((from + to) / 2);
  const between = Array.from({ length: to - from - 1 }, (_, offset) => from + 1 + offset);
  for (const index of between.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))) {
    const figure = await figureAt(index);
    if (figure !== undefined) return { index, figure };
  }
  return undefined;
}
