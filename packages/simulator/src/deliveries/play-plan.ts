import type { Clock } from '../clock.ts';
import type { Delivery, PlannedDelivery } from '../simulator.ts';
import type { Job } from './job.ts';

/** A delivery of a plan that has been started. */
export interface StartedJob {
  readonly job: Pick<Job, 'delivery' | 'done'>;
  /** Resolves after the first attempt. Does not reject. */
  readonly started: Promise<void>;
}

/**
 * Sends planned deliveries at their offsets on the clock. Those with the same offset are sent one after the other, each
 * after the first attempt of the one before it, except those of a burst, which are sent at once.
 * @param closed resolves when the simulator is closed; deliveries that were not sent have failed then
 * @returns the deliveries in the order of the plan
 */
export async function playPlan(
  clock: Clock,
  plan: readonly PlannedDelivery[],
  closed: Promise<void>,
  start: (planned: PlannedDelivery) => StartedJob,
): Promise<readonly Delivery[]> {
  const begin = clock.now();
  const jobs = new Map<PlannedDelivery, StartedJob['job']>();
  const ordered = plan.toSorted((a, b) => a.offsetMs - b.offsetMs);
  const batches = [...Map.groupBy(ordered, ({ offsetMs }) => offsetMs)];

  /** Resolves after the first attempts of a batch and of all later ones. */
  const playFrom = (index: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const [offsetMs, batch] = batches[index] ?? [];
      if (offsetMs === undefined || batch === undefined) {
        resolve();
        return;
      }
      clock.schedule(begin + offsetMs, async () => {
        // Schedules the next ones before it sends anything, so that a slow receiver does not delay them.
        const later = playFrom(index + 1);
        const firstAttempts = playBatch(batch, (planned) => {
          const { job, started } = start(planned);
          jobs.set(planned, job);
          return started;
        });
        Promise.all([firstAttempts, later]).then(() => resolve(), reject);
        // The clock waits for its own batch alone: it has yet to reach the later ones.
        await firstAttempts.catch(() => undefined);
      });
    });

  const finish = async (): Promise<void> => {
    await playFrom(0);
    await Promise.all([...jobs.values()].map(({ done }) => done));
  };
  await Promise.race([finish(), closed]);
  return plan.map(
    (planned) =>
      jobs.get(planned)?.delivery ?? {
        id: planned.id,
        kind: planned.kind,
        attempts: [],
        state: 'failed',
      },
  );
}

async function playBatch(
  batch: readonly PlannedDelivery[],
  start: (planned: PlannedDelivery) => Promise<void>,
): Promise<void> {
  let burst: Promise<void>[] = [];
  for (const planned of batch) {
    if (planned.faults.includes('burst')) {
      burst.push(start(planned));
      continue;
    }
    await Promise.all(burst);
    burst = [];
    await start(planned);
  }
  await Promise.all(burst);
}
