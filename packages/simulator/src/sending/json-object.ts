import type { Json, JsonObject } from 'countersign/kit';

/** Returns whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is a JSON array. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns the elements of an array; none if the value is not an array. */
export function elementsOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

/** Returns the members that an object has. */
export function membersOf(value: JsonObject): readonly (readonly [name: string, value: Json])[] {
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, member] as const],
  );
}

/** Returns an own member of an object or an element of an array. */
export function memberOf(value: Json | undefined, name: string | number): Json | undefined {
  if (isArray(value))
    return typeof name === 'number' || /^(?:0|[1-9]\d*)$/u.test(name)
      ? value[Number(name)]
      : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns whether two values are the same JSON, whatever the order of members. */
export function isSameJson(a: Json, b: Json): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const names = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => {
      const [member, counterpart] = [memberOf(a, name), memberOf(b, name)];
      return member !== undefined && counterpart !== undefined && isSameJson(member, counterpart);
    })
  );
}

/** Returns a string as it is, and any other value as JSON. */
export function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the text of a member, if it is a string. */
export function textOf(value: Json | undefined, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}
