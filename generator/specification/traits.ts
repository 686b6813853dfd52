import type { Cursor } from '../json/cursor.ts';

/**
 * Returns an operation or a message of AsyncAPI, followed by its traits, the last one first. The object takes
 * precedence over its traits, and a later trait over an earlier one (AsyncAPI 3.0, "Traits Merge Mechanism").
 */
export function withTraits(holder: Cursor): readonly Cursor[] {
  return [
    holder,
    ...holder
      .items('traits')
      .map((at) => at.follow())
      .toReversed(),
  ];
}

/** Returns a member of an object, or of the trait that states it. */
export function inherited(holder: Cursor, member: string): Cursor {
  const own = holder.child(member);
  if (own.value !== undefined) return own;
  const parts = withTraits(holder).map((part) => part.child(member));
  return parts.find(({ value }) => value !== undefined) ?? own;
}
