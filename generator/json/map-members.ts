import { isJsonObject, type Json, type JsonObject } from './json.ts';

/**
 * Replaces the values of an object's members. Returns the same object if no value changes, so that traversing a large
 * contract allocates little. A member `__proto__` stays a member.
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

/** Replaces every `$ref` in a value, at any depth. */
export function mapReferences(value: Json, change: (reference: string) => string): Json {
  const into = (inner: Json): Json => mapReferences(inner, change);
  if (Array.isArray(value)) return mapItems(value as readonly Json[], into);
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (inner, member) =>
    member === '$ref' && typeof inner === 'string' ? change(inner) : into(inner),
  );
}

/** Replaces the items of a list. Returns the same list if no item changes. */
export function mapItems(
  list: readonly Json[],
  change: (item: Json, index: number) => Json,
): readonly Json[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

/** Sets a member of an object that is under construction. A member `__proto__` does not set the prototype. */
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
