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
  const declaredMember = holder.child(member);
  if (declaredMember.value !== undefined) return declaredMember;
  const parts = withTraits(holder).map((part) => part.child(member));
  return parts.find(({ value }) => value !== undefined) ?? declaredMember;
}
