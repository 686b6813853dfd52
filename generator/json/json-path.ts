import { childOf } from './descend.ts';
import type { Json } from './json.ts';

/** Returns the JSONPath (RFC 9535) of a place in a document. */
export function toJsonPath(root: Json, members: readonly string[]): string {
  let path = '$';
  let value: Json | undefined = root;
  for (const member of members) {
    if (Array.isArray(value)) path += `[${member}]`;
    else if (/^[A-Za-z_]\w*$/u.test(member)) path += `.${member}`;
    else if (/^[^'\\\p{C}]*$/u.test(member)) path += `['${member}']`;
    else path += `[${JSON.stringify(member)}]`;
    value = childOf(value, member);
  }
  return path;
}
