import type { Entry } from '../entry.ts';
import { isFailed, nameOf } from '../memory-journal.ts';

/** What a list of entries shows of one. */
export interface EntrySummary {
  readonly id: number;
  readonly at: number;
  readonly type: Entry['type'];
  /** The operation, the kind or the workflow. */
  readonly name?: string;
  readonly isFailed: boolean;
  readonly run?: string;
  readonly method?: string;
  /** The path and query, or the message of a step; at most 200 characters. */
  readonly detail: string;
  /** The status of the response, or why there was none. */
  readonly status?: number | string;
  readonly durationMs?: number;
  readonly attempt?: number;
  readonly faults: readonly string[];
}

/** Returns what a list of entries shows of one. */
export function summarize(entry: Entry): EntrySummary {
  const name = nameOf(entry);
  const frame = {
    id: entry.id,
    at: entry.at,
    type: entry.type,
    isFailed: isFailed(entry),
    ...(name !== undefined && { name }),
    ...(entry.run !== undefined && { run: entry.run }),
  };
  if (entry.type === 'step') {
    const { step, state, message } = entry;
    const detail = (step === undefined ? message : `${step}: ${message}`).slice(0, 200);
    return { ...frame, detail, status: state, faults: [] };
  }
  const { request, response, durationMs, faults } = entry;
  const status = response?.status ?? (entry.type === 'delivery' ? entry.error : undefined);
  return {
    ...frame,
    method: request.method,
    detail: pathOf(request.url).slice(0, 200),
    ...(status !== undefined && { status }),
    durationMs,
    ...(entry.type === 'delivery' && { attempt: entry.attempt }),
    faults,
  };
}

function pathOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : parsed.pathname + parsed.search;
}
