import type { Entry } from '../entry.ts';
import { sizeOf } from '../entry-size.ts';
import type { EntryFilter, Journal } from '../journal.ts';

/** The entries that are read of a journal at a time: those of a file can be large. */
const chunkSize = 50;

/**
 * Returns the newest entries of a journal that match, in the order of their numbers, as `convert` returns them. It keeps
 * only the results in memory.
 * @param maxBytes the size of the entries after which no older ones are listed
 */
export function listEntries<T>(
  journal: Pick<Journal, 'list'>,
  { pageSize, ...filter }: EntryFilter & { readonly pageSize: number },
  convert: (entry: Entry) => T,
  maxBytes: number = Infinity,
): readonly T[] {
  const convertedEntries: T[] = [];
  let before = filter.before;
  let size = 0;
  while (convertedEntries.length < pageSize && size < maxBytes) {
    const count = Math.min(chunkSize, pageSize - convertedEntries.length);
    const chunk = journal.list({
      ...filter,
      ...(before === undefined ? {} : { before }),
      pageSize: count,
    });
    for (const entry of chunk.toReversed()) {
      size += sizeOf(entry);
      if (size > maxBytes && convertedEntries.length > 0) break;
      convertedEntries.push(convert(entry));
    }
    before = chunk[0]?.id;
    if (chunk.length < count) break;
  }
  return convertedEntries.toReversed();
}
