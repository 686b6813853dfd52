import type { Json, JsonObject } from '../json/json.ts';

/**
 * The object with other values in place of its members' own; itself where every member keeps its own, so that what
 * walks a large contract leaves little behind. A member `__proto__` stays a member.
 */
export function mapMembers(
  object: JsonObject,
  change: (value: Json, member: string) => Json,
): JsonObject {
  const members = Object.keys(object);
  let changed: Record<string, Json | undefined> | undefined;
  for (const [index, member] of members.entries()) {
    const value = object[member];
    const next = value === undefined ? undefined : change(value, member);
    if (changed === undefined) {
      if (next === value) continue;
      changed = {};
      for (const before of members.slice(0, index)) setMember(changed, before, object[before]);
    }
    setMember(changed, member, next);
  }
  return changed ?? object;
}

/** The same of a list. */
export function mapItems(list: readonly Json[], change: (item: Json) => Json): readonly Json[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

/** Sets a member of an object that is being made: one named `__proto__` is no prototype. */
export function setMember(
  object: Record<string, Json | undefined>,
  member: string,
  value: Json | undefined,
): void {
  if (member !== '__proto__') object[member] = value;
  else {
    Object.defineProperty(object, member, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}
