import type { EntrySummary } from './types.ts';

/** Columns of the chart: seconds since 1970, succeeded, failed, and the median and 95th percentile of durations. */
export interface ChartData {
  readonly at: readonly number[];
  readonly ok: readonly number[];
  readonly failed: readonly number[];
  readonly median: readonly (number | null)[];
  readonly slow: readonly (number | null)[];
}

/** Counts calls and deliveries in intervals of equal length. */
export function chartData(entries: readonly EntrySummary[], intervals = 60): ChartData {
  const exchanges = entries.filter(({ type }) => type !== 'step');
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at } of exchanges) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  if (exchanges.length === 0) return { at: [], ok: [], failed: [], median: [], slow: [] };
  const length = Math.max(1000, Math.ceil((last - first + 1) / intervals / 1000) * 1000);
  const start = Math.floor(first / length) * length;
  const count = Math.floor((last - start) / length) + 1;
  const ok = Array.from({ length: count }, () => 0);
  const failed = [...ok];
  const durations: number[][] = Array.from({ length: count }, () => []);
  for (const { at, isFailed, durationMs } of exchanges) {
    const index = Math.floor((at - start) / length);
    const column = isFailed ? failed : ok;
    column[index] = (column[index] ?? 0) + 1;
    if (durationMs !== undefined) durations[index]?.push(durationMs);
  }
  const sorted = durations.map((list) => list.toSorted((a, b) => a - b));
  const quantile = (share: number): (number | null)[] =>
    sorted.map((list) => list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? null);
  return {
    at: ok.map((_, index) => (start + index * length) / 1000),
    ok,
    failed,
    median: quantile(0.5),
    slow: quantile(0.95),
  };
}
