import { isArray, isObject, membersOf, toText } from '../json-object.ts';
import type { Json } from 'countersign/kit';

/** Writes data as a form or a query: an array repeats its name, `null` is empty, and an object is JSON. */
export function encodeForm(value: Json): string {
  if (!isObject(value)) return '';
  const pairs = membersOf(value).flatMap(([name, member]) => {
    const values = isArray(member) ? member : [member];
    return values.map((element): [string, string] => [
      name,
      element === null ? '' : toText(element),
    ]);
  });
  return new URLSearchParams(pairs).toString();
}
