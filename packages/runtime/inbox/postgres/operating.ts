import { deleteInParts } from '../delete-in-parts.ts';
import type { InboxOperations } from '../store.ts';
import {
  getEvent,
  getEventWithPayload,
  listEvents,
  previewChange,
  readAudit,
  readStats,
} from './inspect.ts';
import { changeEvents, deletePayloads, pruneAudit, record } from './operate.ts';
import type { StoreContext } from './store-context.ts';
import type { Work } from './transact.ts';

/** Creates the methods of a store that operators use. */
export function createOperatingMethods({ settings, runner }: StoreContext): InboxOperations {
  const { transact } = runner;
  const read = <Result>(work: Work<Result>): Promise<Result> => runner.inTransaction('read', work);
  return {
    stats: () => read((query) => readStats(query, settings)),
    list: (filter = {}, page = {}) => read((query) => listEvents(query, settings, filter, page)),
    preview: (action, filter) => read((query) => previewChange(query, settings, action, filter)),
    get: (id) => read((query) => getEvent(query, settings, id)),
    reveal: (id, by) =>
      runner.inTransaction('durable', async (query) => {
        const event = await getEventWithPayload(query, settings, id);
        if (event !== undefined) await record(query, settings, 'reveal', by, [id]);
        return event;
      }),
    retry: (filter, by) =>
      runner.operate(() => changeEvents(transact, settings, 'retry', filter, by)),
    replay: (filter, by) =>
      runner.operate(() => changeEvents(transact, settings, 'replay', filter, by)),
    discard: (filter, by) =>
      runner.operate(() => changeEvents(transact, settings, 'discard', filter, by)),
    delete: (request, by) =>
      runner.operate(() =>
        deleteInParts(request, (part) =>
          transact('durable', (query) => deletePayloads(query, settings, part, by)),
        ),
      ),
    audit: (pageSize = 100) => read((query) => readAudit(query, settings, pageSize)),
    pruneAudit: (request) =>
      runner.inTransaction('durable', (query) => pruneAudit(query, settings, request)),
  };
}
