import { RefusedRequest, toNumber } from '@countersign/console/frame';
import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import type { Entry } from '../entry.ts';
import type { ConsoleContext } from './console-context.ts';
import { curlOf } from './curl.ts';
import { readFilter } from './entry-filter.ts';
import { streamEntries } from './entry-stream.ts';
import { summarize } from './entry-summary.ts';
import { listEntries } from './list-entries.ts';
import { exportHar, exportLines } from './export.ts';

/** The size of the entries that one response lists with all their members: the newest are listed. */
const maxListedBytes = 32 * 1024 * 1024;

/** Lists, streams, exports and clears the entries of the journal. */
export function entryRoutes(shared: ConsoleContext): Hono {
  const { journal } = shared.simulator;
  return new Hono()
    .get('/entries', (context) => {
      const filter = readFilter(context.req, ['view']);
      const entries =
        context.req.query('view') === 'summary'
          ? listEntries(journal, filter, summarize)
          : listEntries(journal, filter, (entry) => entry, maxListedBytes);
      return context.json({ entries });
    })
    .get('/entries/:id', (context) => context.json(findEntry(shared, context.req.param('id'))))
    .get('/entries/:id/curl', (context) => {
      const entry = findEntry(shared, context.req.param('id'));
      if (entry.type === 'step')
        throw new RefusedRequest(404, 'not-found', 'A step of a workflow has no request.');
      return context.json({ curl: curlOf(entry.request) });
    })
    .delete('/entries', (context) => {
      journal.clear();
      for (const listener of shared.cleared) listener();
      return context.json({});
    })
    .get('/stream', (context) => streamEntries(shared, context))
    .get('/export.har', (context) => {
      context.header('content-type', 'application/json; charset=utf-8');
      context.header('content-disposition', 'attachment; filename="simulator.har"');
      return stream(context, async (output) => await writeAll(output, exportHar(journal)));
    })
    .get('/export.jsonl', (context) => {
      context.header('content-type', 'application/jsonl; charset=utf-8');
      context.header('content-disposition', 'attachment; filename="simulator.jsonl"');
      return stream(context, async (output) => await writeAll(output, exportLines(journal)));
    });
}

/**
 * Returns an entry.
 * @throws RefusedRequest where the journal does not keep it
 */
export function findEntry({ simulator }: ConsoleContext, id: string): Entry {
  const entry = simulator.journal.get(toNumber(id, 'The id'));
  if (entry !== undefined) return entry;
  throw new RefusedRequest(404, 'not-found', 'The journal does not keep this entry.');
}

async function writeAll(
  output: { write(text: string): Promise<unknown>; readonly aborted: boolean },
  texts: Iterable<string>,
): Promise<void> {
  for (const text of texts) {
    if (output.aborted) return;
    await output.write(text);
  }
}
