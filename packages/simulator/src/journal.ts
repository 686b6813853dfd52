import type { Entry, NewEntry } from './entry.ts';

/** Which entries to list. */
export interface EntryFilter {
  readonly type?: Entry['type'];
  /** An operation or a kind. */
  readonly name?: string;
  /** `failed`: refused calls, deliveries without acknowledgement, failed steps. */
  readonly outcome?: 'ok' | 'failed';
  readonly run?: string;
  /** Text that the URL or a body contains. */
  readonly text?: string;
  /** Only entries with a smaller id. */
  readonly before?: number;
  /** Only entries with a larger id. */
  readonly after?: number;
  /** The maximum number of entries: the newest. */
  readonly pageSize?: number;
}

/** Keeps entries. */
export interface Journal {
  /** Numbers an entry, keeps it and passes it to the subscribers. */
  add<E extends NewEntry>(entry: E): E & { readonly id: number };
  get(id: number): Entry | undefined;
  /** Returns the entries that match, in the order of their ids. */
  list(filter?: EntryFilter): readonly Entry[];
  count(filter?: EntryFilter): number;
  clear(): void;
  /** Calls `listener` for each new entry. Returns a function that ends the subscription. */
  subscribe(listener: (entry: Entry) => void): () => void;
  close(): void;
}
