import type { Clock, Duration } from './clock.ts';
import { SimulatorError } from './simulator-error.ts';

interface Task {
  readonly at: number;
  readonly order: number;
  readonly action: () => unknown;
}

/**
 * Creates a clock.
 * @param isManual whether time passes only by `advance`
 */
export function createClock(isManual = false): Clock {
  const tasks = new Set<Task>();
  let order = 0;
  /** The time that `advance` added to real time; for a manual clock, the time itself. */
  let offset = isManual ? Date.now() : 0;
  let timer: NodeJS.Timeout | undefined;
  const now = (): number => (isManual ? offset : Date.now() + offset);

  const next = (): Task | undefined => {
    let first: Task | undefined;
    for (const task of tasks)
      if (
        first === undefined ||
        task.at < first.at ||
        (task.at === first.at && task.order < first.order)
      )
        first = task;
    return first;
  };
  const arm = (): void => {
    clearTimeout(timer);
    const task = next();
    if (isManual || task === undefined) return;
    // Timers take at most 2³¹−1 milliseconds.
    timer = setTimeout(run, Math.min(Math.max(task.at - now(), 0), 2 ** 31 - 1));
  };
  const run = (): void => {
    for (let task = next(); task !== undefined && task.at <= now(); task = next()) {
      tasks.delete(task);
      void task.action();
    }
    arm();
  };

  return {
    now,
    schedule(at, action) {
      const task = { at, order: (order += 1), action };
      tasks.add(task);
      arm();
      return () => {
        if (tasks.delete(task)) arm();
      };
    },
    async advance(by) {
      const end = now() + toMilliseconds(by);
      for (let task = next(); task !== undefined && task.at <= end; task = next()) {
        tasks.delete(task);
        offset += Math.max(task.at - now(), 0);
        await task.action();
      }
      offset += Math.max(end - now(), 0);
      arm();
    },
    close() {
      tasks.clear();
      clearTimeout(timer);
    },
  };
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
