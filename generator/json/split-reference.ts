import { decodeReference, unescapeMember } from './pointer.ts';

/** The two parts of a reference: the file (empty for the file with the reference) and the members after `#`. */
export interface SplitReference {
  readonly uri: string;
  readonly members: readonly string[];
}

/** Splits a `$ref` at `#` and unescapes its pointer, percent-encoding first (RFC 6901, section 6). */
export function splitReference(reference: string): SplitReference {
  const hash = reference.indexOf('#');
  if (hash === -1) return { uri: reference, members: [] };
  const fragment = reference.slice(hash + 1);
  const members = fragment
    .split('/')
    .slice(1)
    .map((member) => unescapeMember(decodeReference(member)));
  return { uri: reference.slice(0, hash), members };
}
