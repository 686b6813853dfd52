import type { Json } from '../service-description.ts';

/** The members and indexes that lead to a value. */
export type JsonPath = readonly (string | number)[];

/** Returns whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !isArray(value);
}

/** Returns whether a value is a JSON array. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns the value at a JSON Pointer (RFC 6901), or `undefined`. */
export function readPointer(value: Json, pointer: string): Json | undefined {
  const names = pointer.split('/').slice(1);
  return readPath(
    value,
    names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')),
  );
}

/** Returns the value at a path, or `undefined`. */
export function readPath(value: Json, path: JsonPath): Json | undefined {
  let current: Json | undefined = value;
  for (const name of path) {
    if (isArray(current)) current = current[Number(name)];
    else if (isObject(current) && Object.hasOwn(current, name)) current = current[name];
    else return undefined;
  }
  return current;
}

/** Returns a copy of a value with another value at a path; `undefined` removes the member or element there. */
export function replaceAt(value: Json, path: JsonPath, replacement: Json | undefined): Json {
  const [name, ...rest] = path;
  if (name === undefined) return replacement ?? null;
  const replace = (child: Json | undefined): Json | undefined =>
    rest.length === 0
      ? replacement
      : child === undefined
        ? undefined
        : replaceAt(child, rest, replacement);
  if (isArray(value))
    return value.flatMap((element, index) => {
      const replaced = index === Number(name) ? replace(element) : element;
      return replaced === undefined ? [] : [replaced];
    });
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([member, child]) => {
    const replaced = member === String(name) ? replace(child) : child;
    return replaced === undefined ? [] : [[member, replaced] as const];
  });
  if (!Object.hasOwn(value, name)) {
    const added = replace(undefined);
    if (added !== undefined) members.push([String(name), added]);
  }
  // Unlike an assignment, `Object.fromEntries` also defines a member named `__proto__`.
  return Object.fromEntries(members);
}

/** Returns the paths of all values in a value, outer ones first. */
export function pathsOf(value: Json, path: JsonPath = []): readonly JsonPath[] {
  const children: readonly (readonly [string | number, Json])[] = isArray(value)
    ? value.map((child, index) => [index, child] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...children.flatMap(([name, child]) => pathsOf(child, [...path, name]))];
}

/** Returns the paths that a pattern selects in a value. `*` selects every element of an array. */
export function expandPath(
  value: Json,
  pattern: readonly string[],
  path: JsonPath = [],
): readonly JsonPath[] {
  const [name, ...rest] = pattern;
  if (name === undefined) return [path];
  if (name === '*' && isArray(value))
    return value.flatMap((element, index) => expandPath(element, rest, [...path, index]));
  const child = readPath(value, [name]);
  return child === undefined ? [] : expandPath(child, rest, [...path, name]);
}

/** Merges overrides into a value, member by member at any depth. Replaces values that are not objects on both sides. */
export function mergeJson(value: Json | undefined, overrides: Json): Json {
  if (!isObject(value) || !isObject(overrides)) return overrides;
  const merged = Object.entries(overrides).map(
    ([name, member]) =>
      [name, mergeJson(Object.hasOwn(value, name) ? value[name] : undefined, member)] as const,
  );
  return Object.fromEntries([...Object.entries(value), ...merged]);
}
