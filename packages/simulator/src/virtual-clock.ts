import type { Clock, Duration } from './clock.ts';
import { SimulatorError } from './sending/simulator-error.ts';
import { createTaskQueue, type Task } from './task-queue.ts';

/** The end of the year 9999, the last that dates are written with. */
const maxTime = Date.UTC(9999, 11, 31);

/**
 * Creates a clock. An action that fails in real time is an unhandled rejection, as in a timer; in `advance`, the other
 * actions run, and then `advance` rejects.
 * @param isManual whether time passes only by `advance`
 */
export function createClock(isManual = false): Clock {
  const tasks = createTaskQueue();
  /** The time that `advance` added to real time; for a manual clock, the time itself. */
  let offset = isManual ? Date.now() : 0;
  /** The time to which the calls of `advance` that have not ended move the clock. */
  let target = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const now = (): number => (isManual ? offset : Date.now() + offset);
  const moveTo = (time: number): void => {
    offset += Math.max(time - now(), 0);
  };

  const arm = (): void => {
    clearTimeout(timer);
    const task = tasks.first();
    if (isManual || task === undefined) return;
    // Timers take at most 2³¹−1 milliseconds.
    timer = setTimeout(runDue, Math.min(Math.max(Math.ceil(task.at - now()), 0), 2 ** 31 - 1));
  };
  const runDue = (): void => {
    // Actions that are scheduled by these for the same time run next time, so that they cannot block the process.
    const due: Task[] = [];
    for (let task = tasks.first(); task !== undefined && task.at <= now(); task = tasks.first())
      due.push(tasks.take(task));
    for (const task of due) void invoke(task);
    arm();
  };

  return {
    now,
    schedule(at, action) {
      if (isClosed) return () => undefined;
      const task = tasks.add(at, action);
      if (tasks.first() === task) arm();
      return () => {
        const isFirst = tasks.first() === task;
        task.isCancelled = true;
        if (isFirst) arm();
      };
    },
    async advance(by) {
      // A call during another one adds to it.
      const end = Math.max(target, now()) + toMilliseconds(by);
      if (end > maxTime)
        throw new SimulatorError(
          'invalid-option',
          `"${by}" is too long: the clock does not pass the year 9999.`,
        );
      target = end;
      const errors: unknown[] = [];
      for (let task = tasks.first(); task !== undefined && task.at <= end; task = tasks.first()) {
        tasks.take(task);
        moveTo(task.at);
        try {
          await invoke(task);
        } catch (error) {
          errors.push(error);
        }
      }
      moveTo(end);
      arm();
      if (errors.length === 1) throw errors[0];
      if (errors.length > 1) throw new AggregateError(errors, 'Scheduled actions failed.');
    },
    close() {
      isClosed = true;
      tasks.clear();
      clearTimeout(timer);
    },
  };
}

async function invoke({ action, isCancelled }: Task): Promise<void> {
  if (!isCancelled) await action();
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Returns the milliseconds of a duration.
 * @throws SimulatorError `invalid-option`
 */
export function toMilliseconds(duration: Duration): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/u.exec(String(duration)) ?? [];
  const milliseconds =
    typeof duration === 'number'
      ? duration
      : Number(count || Number.NaN) * (units[unit] ?? Number.NaN);
  if (milliseconds >= 0 && Number.isFinite(milliseconds)) return milliseconds;
  throw new SimulatorError(
    'invalid-option',
    `"${duration}" is not a duration. Write milliseconds, or a number with ms, s, m, h or d.`,
  );
}
