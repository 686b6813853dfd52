import type { Json } from 'countersign/kit';

/** Returns the content of each event of a valid body: of one, or of each element of the other wire format. */
export function contentsOf(body: string): readonly string[] {
  const value = JSON.parse(body) as Json;
  const { pix, ...rest } = value as { readonly pix?: readonly Json[] };
  const events = pix?.map((element) => ({ ...rest, Pix: element })) ?? [value];
  return events.map(contentOf);
}

/**
 * Returns a value as text that does not depend on the wire format: null is absent, names begin in lower case, and a
 * decimal such as "19.90" is a number.
 */
export function contentOf(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (typeof member === 'string' && /^-?\d+\.\d\d$/u.test(member)) return Number(member);
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const members = Object.entries(member).filter(([, memberValue]) => memberValue !== null);
    return Object.fromEntries(
      members
        .map(
          ([name, memberValue]) =>
            [name.charAt(0).toLowerCase() + name.slice(1), memberValue] as const,
        )
        .toSorted(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
}
