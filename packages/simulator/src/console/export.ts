import type { Entry } from '../entry.ts';
import type { Journal } from '../journal.ts';
import { toHarEntry } from './har.ts';

/** The ids that one step of an export covers. An export of a large journal therefore needs little memory. */
const window = 50;

/** Yields all entries as JSON, one on each line. */
export function* exportLines(journal: Journal): Generator<string> {
  for (const entry of walk(journal)) yield `${JSON.stringify(entry)}\n`;
}

/** Yields the calls and deliveries as an HTTP archive (HAR 1.2). */
export function* exportHar(journal: Journal): Generator<string> {
  yield '{"log":{"version":"1.2","creator":{"name":"Countersign","version":"0.1.0"},"entries":[';
  let separator = '\n';
  for (const entry of walk(journal)) {
    if (entry.type === 'step') continue;
    yield separator + JSON.stringify(toHarEntry(entry));
    separator = ',\n';
  }
  yield '\n]}}\n';
}

function* walk(journal: Journal): Generator<Entry> {
  const last = journal.list({ pageSize: 1 })[0]?.id ?? 0;
  for (let after = 0; after < last; after += window)
    yield* journal.list({ after, before: Math.min(after + window, last) + 1 });
}
