import { toNumber } from '@countersign/console/frame';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Entry } from '../entry.ts';
import { matches } from '../memory-journal.ts';
import type { ConsoleContext } from './console-context.ts';
import { maxListed, readFilter } from './entry-filter.ts';
import { type EntrySummary, summarize } from './entry-summary.ts';
import { listEntries } from './list-entries.ts';

/** The entries that wait for a client that reads slowly. Beyond it, the client has to list them again. */
const maxWaiting = 1000;

/** The milliseconds for which new entries are collected: thousands a second become a few events a second. */
const collectFor = 50;
const heartbeatEvery = 15_000;

/**
 * Streams new entries as server-sent events. Event `entries`: a JSON array; its id is that of the last entry, from
 * which a client resumes with `Last-Event-ID`. Event `cleared`: the journal was cleared. Event `reset`: too many
 * entries followed the last one; the client has to list them again.
 */
export function streamEntries({ simulator, cleared }: ConsoleContext, context: Context): Response {
  const { pageSize: _, ...filter } = readFilter(context.req, ['view']);
  const isSummary = context.req.query('view') === 'summary';
  const lastId = context.req.header('last-event-id');
  const after = lastId === undefined ? filter.after : toNumber(lastId, 'Last-Event-ID');
  const { journal } = simulator;

  return streamSSE(
    context,
    async (output) => {
      const convert = (entry: Entry): Entry | EntrySummary =>
        isSummary ? summarize(entry) : entry;
      const maxEntries = isSummary ? maxListed : maxWaiting;
      const missed =
        after === undefined
          ? []
          : listEntries(journal, { ...filter, after, pageSize: maxEntries }, convert);
      let waiting: (Entry | EntrySummary)[] = [...missed];
      let isCleared = false;
      let isLate = missed.length === maxEntries;
      if (isLate) waiting = [];
      let wake = (): void => undefined;
      const unsubscribe = journal.subscribe((entry) => {
        if (!matches(entry, { ...filter, after: 0 })) return;
        if (waiting.length >= maxEntries) isLate = true;
        if (isLate) waiting = [];
        else waiting.push(convert(entry));
        wake();
      });
      const onClear = (): void => {
        waiting = [];
        isLate = false;
        isCleared = true;
        wake();
      };
      cleared.add(onClear);
      output.onAbort(() => wake());
      try {
        const reset = async (): Promise<void> => {
          if (!isLate) return;
          isLate = false;
          await output.writeSSE({ event: 'reset', data: '' });
        };
        await reset();
        // The client knows by the first event that it will miss nothing from now on.
        await output.writeSSE({ event: 'ready', data: '' });
        while (!output.aborted) {
          if (isCleared) {
            isCleared = false;
            await output.writeSSE({ event: 'cleared', data: '' });
          }
          await reset();
          const sent = waiting;
          waiting = [];
          const last = sent.at(-1);
          if (last !== undefined)
            await output.writeSSE({
              event: 'entries',
              id: String(last.id),
              data: JSON.stringify(sent),
            });
          await output.sleep(collectFor);
          if (waiting.length > 0 || isCleared || isLate || output.aborted) continue;
          let timer: NodeJS.Timeout | undefined;
          await new Promise<void>((resolve) => {
            wake = resolve;
            timer = setTimeout(resolve, heartbeatEvery);
          });
          clearTimeout(timer);
          if (waiting.length === 0 && !isCleared && !isLate && !output.aborted)
            await output.write(': still here\n\n');
        }
      } finally {
        unsubscribe();
        cleared.delete(onClear);
      }
    },
    // The connection ended.
    async () => undefined,
  );
}
