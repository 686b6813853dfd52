import type { CallEntry, DeliveryEntry, RecordedBody, RecordedRequest } from '../entry.ts';
import type { Json } from 'countersign/kit';

/**
 * Returns an entry of an HTTP archive. Members with an underscore are ours, as the format allows.
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
export function toHarEntry(entry: CallEntry | DeliveryEntry): Json {
  const { id, type, at, durationMs, request, response, faults } = entry;
  return {
    startedDateTime: dateTime(at),
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(request.headers),
      queryString: toPairs([...(URL.parse(request.url)?.searchParams ?? [])]),
      ...(request.body.size > 0 && {
        postData: { mimeType: mediaType(request.headers), ...toContent(request.body) },
      }),
      headersSize: -1,
      bodySize: request.body.size,
    },
    response:
      response === undefined
        ? emptyResponse
        : {
            ...emptyResponse,
            status: response.status,
            headers: toPairs(response.headers),
            content: {
              size: response.body.size,
              mimeType: mediaType(response.headers),
              ...toContent(response.body),
            },
            bodySize: response.body.size,
          },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _countersign: {
      id,
      type,
      faults: [...faults],
      ...(type === 'call'
        ? { operation: entry.operation ?? null }
        : { kind: entry.kind, delivery: entry.delivery, attempt: entry.attempt }),
      ...(type === 'delivery' && entry.error !== undefined && { error: entry.error }),
    },
  };
}

/** Writes a time. A journal can have times that no date has: of a damaged file, or of an earlier version. */
function dateTime(at: number): string {
  const date = new Date(at);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}

const emptyResponse = {
  status: 0,
  statusText: '',
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: '' },
  redirectURL: '',
  headersSize: -1,
  bodySize: -1,
} as const;

function toPairs(
  pairs: RecordedRequest['headers'],
): readonly { readonly name: string; readonly value: string }[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function toContent({ encoding, text }: RecordedBody): {
  readonly text: string;
  readonly encoding?: string;
} {
  return encoding === 'base64' ? { text, encoding } : { text };
}

function mediaType(headers: RecordedRequest['headers']): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}
