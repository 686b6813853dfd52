import type { Entry } from '../entry.ts';

/** What a delivery adds to what is known about the receiver. */
export interface RefusalState {
  /** A sentence for the user, the first time that there are enough refusals. */
  readonly report?: string;
  /** Whether enough deliveries have failed for good while the receiver has acknowledged none: others would fail, too. */
  readonly isHopeless: boolean;
}

/** The number of deliveries that are refused before the command reports that all are, and that fail before it ends. */
const enough = 10;

/**
 * Returns a function that watches whether a receiver refuses every delivery. Attempts with faults do not count: a
 * receiver has to refuse some of them.
 * @param count the number of deliveries that are sent
 */
export function createRefusalWatch(count: number): (entry: Entry) => RefusalState {
  const refused = new Map<string, number>();
  let failed = 0;
  let isAcknowledged = false;
  let isReported = false;
  return (entry) => {
    if (entry.type !== 'delivery' || isAcknowledged) return { isHopeless: false };
    const { attempt, error, faults, nextAttemptInMs, response } = entry;
    if (response !== undefined && response.status >= 200 && response.status < 300) {
      isAcknowledged = true;
      return { isHopeless: false };
    }
    if (faults.length > 0) return { isHopeless: false };
    const reason = response === undefined ? (error ?? 'no response') : `status ${response.status}`;
    if (attempt === 1) refused.set(reason, (refused.get(reason) ?? 0) + 1);
    const total = [...refused.values()].reduce((sum, times) => sum + times, 0);
    const isEnough = total >= Math.min(enough, count);
    if (nextAttemptInMs === undefined) failed += 1;
    const isHopeless = failed >= Math.min(enough, count);
    if (!isEnough || isReported) return { isHopeless };
    isReported = true;
    const reasons = Array.from(refused, ([reason, times]) => `${reason} × ${times}`).join(', ');
    const advice = refused.has('status 401')
      ? ' Check that the receiver has the key or secret that this command signs with.'
      : ' Check that the receiver is running at this address.';
    const many = total === 1 ? 'The first delivery was' : `The first ${total} deliveries were all`;
    return { report: `${many} refused: ${reasons}.${advice}`, isHopeless };
  };
}
