import type { Recognizable } from './recognizable.ts';

/**
 * How a notification's data is written. A receiver reads JSON, forms and queries. `any`: text or bytes, which can look
 * like each of these.
 */
export type DataFormat = 'json' | 'form' | 'query' | 'xml' | 'any';

/** Returns how the data of a notification is written. */
export function dataFormat({
  contentType,
  encoding,
}: Pick<Recognizable, 'contentType' | 'encoding'>): DataFormat {
  if (encoding !== undefined) return encoding;
  const isJson =
    isJsonMediaType(contentType) ||
    contentType.includes('*') ||
    /^text\/json\b/iu.test(contentType);
  if (isJson) return 'json';
  return /^(?:application|text)\/(?:[\w.+-]+\+)?xml\b/iu.test(contentType) ? 'xml' : 'any';
}

/** Returns whether a media type is that of JSON. */
export function isJsonMediaType(mediaType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/iu.test(mediaType);
}

/**
 * Returns which of some kinds remain for each way in which a receiver reads a delivery. It keeps all of them where none
 * is written in that way.
 */
export function namesByFormat(
  names: readonly string[],
  formatOf: ReadonlyMap<string, DataFormat>,
): readonly (readonly string[])[] {
  const formats = [...new Set(formatOf.values())].filter((format) => readable.has(format));
  return Array.from(new Set<DataFormat>(['json', ...formats]), (format) => {
    const candidates = names.filter((name) => [format, 'any'].includes(formatOf.get(name) ?? ''));
    return candidates.length === 0 ? names : candidates;
  });
}

const readable: ReadonlySet<DataFormat> = new Set(['json', 'form', 'query']);
