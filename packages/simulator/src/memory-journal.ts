import type { Entry, NewEntry } from './entry.ts';
import { sizeOf } from './entry-size.ts';
import type { EntryFilter, Journal } from './journal.ts';

/** The bytes of entries that a journal keeps in memory by default: 128 MiB. */
const defaultMaxBytes = 128 * 1024 * 1024;

/**
 * Creates a journal that keeps the newest entries in memory. Numbers continue after `clear`.
 * @param maxBytes about how much memory the entries may take; the newest one is always kept
 */
export function createMemoryJournal(
  maxEntries: number = 10_000,
  maxBytes: number = defaultMaxBytes,
): Journal {
  const entries = new Map<number, Entry>();
  let size = 0;
  const listeners = new Set<(entry: Entry) => void>();
  let lastId = 0;
  const list = (filter: EntryFilter = {}): readonly Entry[] => {
    const { after = 0, before = Infinity, pageSize = Infinity } = filter;
    const matchingEntries: Entry[] = [];
    // The numbers of the entries are consecutive, so a part of them is found without the others.
    const oldest = Math.max(lastId - entries.size, Math.floor(after)) + 1;
    for (
      let id = Math.min(lastId, Math.ceil(before) - 1);
      id >= oldest && matchingEntries.length < pageSize;
      id -= 1
    ) {
      const entry = entries.get(id);
      if (entry !== undefined && matches(entry, filter)) matchingEntries.push(entry);
    }
    return matchingEntries.toReversed();
  };
  return {
    add<E extends NewEntry>(entry: E): E & { readonly id: number } {
      const numbered = { ...entry, id: (lastId += 1) };
      // An entry without its number is one with it: `Unnumbered` removes only that member.
      const kept = numbered as unknown as Entry;
      entries.set(kept.id, kept);
      size += sizeOf(kept);
      for (const [id, oldest] of entries) {
        if (entries.size <= 1 || (entries.size <= maxEntries && size <= maxBytes)) break;
        entries.delete(id);
        size -= sizeOf(oldest);
      }
      for (const listener of listeners) listener(kept);
      return numbered;
    },
    get: (id) => entries.get(id),
    list,
    count: (filter) => (filter === undefined ? entries.size : list(filter).length),
    clear() {
      entries.clear();
      size = 0;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => listeners.clear(),
  };
}

/** Returns whether a filter selects an entry; `pageSize` does not count. */
export function matches(entry: Entry, filter: EntryFilter): boolean {
  const { type, name, outcome, run, text, before, after } = filter;
  return (
    (type === undefined || entry.type === type) &&
    (name === undefined || nameOf(entry) === name) &&
    (outcome === undefined || isFailed(entry) === (outcome === 'failed')) &&
    (run === undefined || entry.run === run) &&
    (before === undefined || entry.id < before) &&
    (after === undefined || entry.id > after) &&
    (text === undefined || contains(entry, text))
  );
}

/** Returns the operation, the kind or the workflow of an entry. */
export function nameOf(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'call':
      return entry.operation;
    case 'delivery':
      return entry.kind;
    default:
      return entry.workflow;
  }
}

/** Returns whether an entry is a refused call, a delivery without acknowledgement, or a failed step. */
export function isFailed(entry: Entry): boolean {
  switch (entry.type) {
    case 'call':
      return (
        entry.response === undefined || entry.steps.some(({ outcome }) => outcome === 'failed')
      );
    case 'delivery':
      return !entry.isAcknowledged;
    default:
      return entry.state === 'failed';
  }
}

function contains(entry: Entry, text: string): boolean {
  if (entry.type === 'step') return entry.message.includes(text);
  const { request, response } = entry;
  return [request.url, request.body.text, response?.body.text].some((part) => part?.includes(text));
}
