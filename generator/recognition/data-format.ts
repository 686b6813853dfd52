import { isRangeOfText, isXml, kindOf } from '../specification/media-type.ts';
import type { Recognizable } from './recognizable.ts';

/**
 * How a notification's data is written. A receiver reads JSON, forms and queries. `any`: text or bytes, which can look
 * like each of these.
 */
export type DataFormat = 'json' | 'form' | 'query' | 'xml' | 'any';

/** Returns in which ways the data of a notification is written that a receiver reads, each once. */
export function dataFormats({
  contentType,
  encoding,
  readings,
}: Pick<Recognizable, 'contentType' | 'encoding' | 'readings'>): readonly DataFormat[] {
  const own = { mediaType: contentType, ...(encoding === undefined ? {} : { encoding }) };
  return [...new Set((readings ?? [own]).map(formatOf))];
}

function formatOf({
  mediaType: contentType,
  encoding,
}: NonNullable<Recognizable['readings']>[number]): DataFormat {
  if (encoding !== undefined) return encoding;
  if (kindOf(contentType) === 'json' || isRangeOfText(contentType)) return 'json';
  return isXml(contentType) ? 'xml' : 'any';
}

/**
 * Creates the function that returns which of some kinds remain for each way in which a receiver reads a delivery. It
 * keeps all of them if none is written in that way.
 */
export function createFormatGroups(
  notifications: readonly (Pick<Recognizable, 'name'> & Parameters<typeof dataFormats>[0])[],
): (names: readonly string[]) => readonly (readonly string[])[] {
  const formatsOf = new Map(
    notifications.map((notification) => [notification.name, dataFormats(notification)]),
  );
  const all = new Set([...formatsOf.values()].flat());
  const formats = [...all].filter((format) => readable.has(format));
  const read = [...new Set<DataFormat>(['json', ...formats])];
  return (names) =>
    read.map((format) => {
      const candidates = names.filter((name) =>
        formatsOf.get(name)?.some((own) => own === format || own === 'any'),
      );
      return candidates.length === 0 ? names : candidates;
    });
}

const readable: ReadonlySet<DataFormat> = new Set(['json', 'form', 'query']);
