import { digest } from '#digest';
import { readValue, type Read, type Readable } from './decision.ts';
import type { MaybePromise } from './request.ts';

/**
 * What makes an event the same as another of its kind, as a digest: nothing of a delivery gets into a store.
 * `undefined` where nothing is declared, or none of it is there.
 */
export function deliveryKey(
  kind: string,
  dedupeBy: readonly Read[],
  from: Readable,
  body: unknown,
): MaybePromise<string> | undefined {
  if (dedupeBy.length === 0) return undefined;
  const values = dedupeBy.map((read) => readValue(read, from, body));
  if (values.every((value) => value === undefined)) return undefined;
  const parts = values.map((value) =>
    value instanceof Uint8Array ? Array.from(value) : value === undefined ? [] : [value],
  );
  return digest(canonicalText([kind, parts]));
}

/** JSON text that is the same for equal values, in whichever order their members stand. */
function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    let items = '';
    for (const item of value) items += `${items === '' ? '' : ','}${canonicalText(item)}`;
    return `[${items}]`;
  }
  const record = value as Readonly<Record<string, unknown>>;
  let members = '';
  for (const name of Object.keys(record).toSorted())
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonicalText(record[name])}`;
  return `{${members}}`;
}
