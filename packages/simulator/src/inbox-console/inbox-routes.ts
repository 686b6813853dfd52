import { Hono } from 'hono';
import { readBody } from '../console/console-context.ts';
import { RefusedRequest } from '../console/console-error.ts';
import { list, members, required, text } from '../console/input.ts';
import type { RecordedBody } from '../entry.ts';
import { recordBody } from '../record.ts';
import type { OperatedInbox, RevealedEvent } from './operated-inbox.ts';

/** What the routes of an inbox's console share. */
export interface InboxConsoleContext {
  readonly inbox: OperatedInbox;
  /** How the inbox is called on the page. */
  readonly name: string;
  /** Under which name reveals and changes are recorded. */
  readonly by: string;
}

/** The inbox of a console. */
export type InboxDescription = Pick<InboxConsoleContext, 'name' | 'by'>;

/** A revealed event as JSON. */
export interface RevealedEventData extends Omit<RevealedEvent, 'body'> {
  readonly body: RecordedBody;
}

/** The number of events of a page, and of records of the audit list. */
const pageSize = 100;

/** Reads and operates an inbox. Nothing is changed without a list of events. */
export function inboxRoutes({ inbox, name, by }: InboxConsoleContext): Hono {
  const app = new Hono()
    .get('/inbox', (context) => context.json({ name, by } satisfies InboxDescription))
    .get('/stats', async (context) => context.json(await guarded(inbox.stats())))
    .get('/audit', async (context) =>
      context.json({ records: await guarded(inbox.audit(pageSize)) }),
    )
    .get('/events', async (context) => {
      const { state, kind, key, after } = context.req.query();
      const filter = {
        ...(state === undefined ? {} : { state }),
        ...(kind === undefined ? {} : { kind }),
        ...(key === undefined ? {} : { orderKey: key }),
      };
      const page = {
        pageSize,
        first: 'newest' as const,
        ...(after === undefined ? {} : { after }),
      };
      return context.json(await guarded(inbox.list(filter, page)));
    })
    .get('/events/:id', async (context) =>
      context.json(found(await guarded(inbox.get(context.req.param('id'))))),
    )
    .post('/events/:id/reveal', async (context) => {
      const event = found(await guarded(inbox.reveal(context.req.param('id'), by)));
      const body = recordBody(event.body, { redact: (value) => value });
      return context.json({ ...event, body } satisfies RevealedEventData);
    });
  for (const action of ['retry', 'replay', 'discard'] as const)
    app.post(`/${action}`, async (context) => {
      const body = await readBody(context, members({ ids: list(text(200)) }));
      const ids = required(body.ids, 'ids');
      return context.json({ changed: await guarded(inbox[action]({ ids }, by)) });
    });
  return app;
}

/** Converts every failure of the store to one refusal: the texts of stores can contain anything. */
async function guarded<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch {
    throw new RefusedRequest(503, 'store-failed', 'The store of the inbox failed.');
  }
}

function found<T>(event: T | undefined): T {
  if (event !== undefined) return event;
  throw new RefusedRequest(404, 'not-found', 'There is no such event. It may have been deleted.');
}
