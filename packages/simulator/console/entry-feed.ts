import { useEffect, useState } from 'preact/hooks';
import { callApi } from '../../console/components/api.ts';
import type { EntrySummary } from './types.ts';

/** What the reader selects of the entries. Empty: all. */
export interface Selection {
  readonly type: string;
  readonly name: string;
  readonly outcome: string;
  readonly text: string;
  readonly run: string;
}

/** A selection of everything. */
export const everything: Selection = { type: '', name: '', outcome: '', text: '', run: '' };

/** Returns whether a selection leaves entries out. */
export function isFiltered(selection: Selection): boolean {
  return Object.values(selection).some((value) => value !== '');
}

/** The entries that a selection has, the newest first, and whether new ones arrive. */
export interface Feed {
  readonly entries: readonly EntrySummary[];
  readonly state: 'loading' | 'live' | 'interrupted';
}

const maxKept = 10_000;

/** Lists the entries of a selection, and adds new ones as they happen. */
export function useEntryFeed(selection: Selection): Feed {
  const [feed, setFeed] = useState<Feed>({ entries: [], state: 'loading' });
  const { type, name, outcome, text, run } = selection;
  useEffect(() => {
    const query = new URLSearchParams({ view: 'summary', type, name, outcome, text, run });
    let source: EventSource | undefined;
    let isEnded = false;
    const load = async (): Promise<void> => {
      source?.close();
      const { entries } = await callApi<{ entries: EntrySummary[] }>(
        'GET',
        `entries?${query}&pageSize=${maxKept}`,
      );
      if (isEnded) return;
      setFeed({ entries: entries.toReversed(), state: 'live' });
      const stream = new EventSource(`/api/stream?${query}&after=${entries.at(-1)?.id ?? 0}`);
      source = stream;
      stream.addEventListener('entries', ({ data }: MessageEvent<string>) => {
        const added = (JSON.parse(data) as EntrySummary[]).toReversed();
        setFeed((now) => ({ ...now, entries: [...added, ...now.entries].slice(0, maxKept) }));
      });
      stream.addEventListener('cleared', () => setFeed((now) => ({ ...now, entries: [] })));
      stream.addEventListener('reset', () => reload());
      stream.addEventListener('ready', () => setFeed((now) => ({ ...now, state: 'live' })));
      stream.addEventListener('error', () => setFeed((now) => ({ ...now, state: 'interrupted' })));
    };
    const reload = (): void => {
      load().catch(() => setFeed((now) => ({ ...now, state: 'interrupted' })));
    };
    reload();
    return () => {
      isEnded = true;
      source?.close();
    };
  }, [type, name, outcome, text, run]);
  return feed;
}
