import type { Entry, RecordedRequest, RecordedResponse } from './entry.ts';

/** What an entry takes beside its texts, in bytes. */
const frameSize = 1024;

/** Returns about how many bytes of memory an entry takes. */
export function sizeOf(entry: Entry): number {
  if (entry.type === 'step') return frameSize + 2 * entry.message.length;
  const violations =
    entry.type === 'delivery'
      ? entry.violations
      : entry.steps.flatMap(({ violations: stepViolations = [] }) => stepViolations);
  const texts = [
    ...violations.flatMap(({ pointer, message }) => [pointer, message]),
    ...(entry.type === 'call' ? entry.steps : []).flatMap(({ message, fix = '', signature }) => [
      message,
      fix,
      ...(signature?.parts ?? []).map(({ text }) => text),
    ]),
  ];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return frameSize + 2 * length + messageSize(entry.request) + messageSize(entry.response);
}

function messageSize(message: RecordedRequest | RecordedResponse | undefined): number {
  if (message === undefined) return 0;
  const headers = message.headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    0,
  );
  const url = 'url' in message ? message.url.length : 0;
  return 2 * (message.body.text.length + headers + url);
}
