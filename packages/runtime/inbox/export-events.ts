import { type InboxErrorCode, isInboxError } from './inbox-error.ts';
import { encryptedTarget } from './encrypted-store.ts';
import type { EventFilter, InboxEvent, InboxEventWithPayload, InboxOperations } from './store.ts';

/** Why an event is exported without its payload although payloads are exported. */
export type WithheldReason =
  /** The payload is encrypted, and the store has no key or another one. */
  | 'encrypted'
  /** The stored payload is damaged. */
  | 'unreadable'
  /** The event was deleted meanwhile. */
  | 'deleted';

/** An event of an export. */
export interface ExportedEvent {
  readonly event: InboxEvent | InboxEventWithPayload;
  readonly withheld: WithheldReason | undefined;
}

/** The options of `exportEvents`. */
export interface ExportOptions {
  /** Includes payloads, and is the name under which each of these reveals is recorded. Default: no payloads. */
  readonly revealBy?: string;
}

/** The number of events in memory. Those with payloads can have several megabytes each. */
const eventsInPart = 500;
const payloadsInPart = 16;

/** Why no payload was read, by the code of the error. */
const withheldReasons: Readonly<Partial<Record<InboxErrorCode, WithheldReason>>> = {
  'decryption-failed': 'encrypted',
  'unreadable-event': 'unreadable',
};

/**
 * Reads the events of a filter, newest first, in parts that are read when the caller needs them, so that any number of
 * events takes a limited amount of memory. Events that are stored meanwhile are not among them.
 * @throws InboxError `store-failed`
 */
export async function* exportEvents(
  store: InboxOperations,
  filter: EventFilter = {},
  { revealBy }: ExportOptions = {},
): AsyncGenerator<readonly ExportedEvent[], void, undefined> {
  const pageSize = revealBy === undefined ? eventsInPart : payloadsInPart;
  let after: string | undefined;
  do {
    const page = await store.list(filter, {
      pageSize,
      first: 'newest',
      ...(after === undefined ? {} : { after }),
    });
    if (page.events.length > 0)
      yield revealBy === undefined
        ? page.events.map((event) => ({ event, withheld: undefined }))
        : await Promise.all(page.events.map((event) => reveal(store, event, revealBy)));
    after = page.next;
  } while (after !== undefined);
}

async function reveal(
  store: InboxOperations,
  event: InboxEvent,
  by: string,
): Promise<ExportedEvent> {
  try {
    const revealed = await store.reveal(event.id, by);
    if (revealed === undefined) return { event, withheld: 'deleted' };
    // This store has no key.
    if (revealed.target === encryptedTarget) return { event, withheld: 'encrypted' };
    // `reveal` does not look for what an event waits for.
    return { event: { ...revealed, waitsFor: event.waitsFor }, withheld: undefined };
  } catch (error) {
    const withheld = isInboxError(error) ? withheldReasons[error.code] : undefined;
    if (withheld === undefined) throw error;
    return { event, withheld };
  }
}
