import { type Json, type JsonObject, isJsonObject } from './json.ts';

/** Returns a member of an object or an item of an array; `undefined` if it does not exist. */
export function childOf(value: Json | undefined, member: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/u.test(member) ? value[Number(member)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

/** Follows a path as far as its members exist. Returns the last value and the number of members followed. */
export function descend(
  root: Json,
  members: readonly string[],
): { readonly value: Json; readonly depth: number } {
  let value = root;
  let depth = 0;
  for (const member of members) {
    const child = childOf(value, member);
    if (child === undefined) break;
    value = child;
    depth += 1;
  }
  return { value, depth };
}

/** Yields every object in a value, at any depth. */
export function* objectsIn(root: Json): Generator<JsonObject> {
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isJsonObject(value)) yield value;
    for (const member of Object.values(value ?? {})) {
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
}

/** Returns the `$ref` of a Reference Object. */
export function referenceOf(value: Json | undefined): string | undefined {
  return isJsonObject(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
}
