import { isUtf8 } from 'node:buffer';
import { Hono } from 'hono';
import { list, members, readBody, required, text } from '../input.ts';
import { RefusedRequest } from '../refused-request.ts';
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
  readonly body: {
    /** `base64` where the bytes are not UTF-8. */
    readonly encoding: 'utf-8' | 'base64';
    /** At most 256 KiB of the body. */
    readonly text: string;
    /** The number of bytes of the whole body. */
    readonly size: number;
  };
}

const maxShownBytes = 256 * 1024;

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
      context.json(existing(await guarded(inbox.get(context.req.param('id'))))),
    )
    .post('/events/:id/reveal', async (context) => {
      const event = existing(await guarded(inbox.reveal(context.req.param('id'), by)));
      return context.json({ ...event, body: describeBody(event.body) } satisfies RevealedEventData);
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

function existing<T>(event: T | undefined): T {
  if (event !== undefined) return event;
  throw new RefusedRequest(404, 'not-found', 'There is no such event. It may have been deleted.');
}

function describeBody(bytes: Uint8Array): RevealedEventData['body'] {
  const shown = Buffer.from(bytes.subarray(0, maxShownBytes));
  const size = bytes.byteLength;
  return isUtf8(bytes)
    ? // A character that was cut off becomes U+FFFD.
      { encoding: 'utf-8', text: shown.toString().replace(/\u{FFFD}$/u, ''), size }
    : { encoding: 'base64', text: shown.toString('base64'), size };
}
