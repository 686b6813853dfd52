/** Returns how a media type writes a sequence of items; `undefined` for a media type that does not. */
export function sequenceOf(mediaType: string): 'events' | 'lines' | undefined {
  const type = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (type === 'text/event-stream') return 'events';
  return /^application\/(?:x-)?(?:ndjson|jsonl)$/u.test(type) ? 'lines' : undefined;
}
