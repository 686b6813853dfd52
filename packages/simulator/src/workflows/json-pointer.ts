import type { Json } from '../service-description.ts';
import { elementsOf, isObject, memberOf } from './json-object.ts';

/** Returns the unescaped members of a JSON Pointer (RFC 6901), or nothing if it is not one. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/u.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Writes members as a JSON Pointer. */
export function writePointer(members: readonly string[]): string {
  return members.map((member) => `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns the value at a path. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(memberOf, value);
}

/** Returns a copy with another value at a path. Objects that are missing on the way are created. */
export function withValueAt(value: Json | undefined, path: readonly string[], by: Json): Json {
  const [name, ...rest] = path;
  if (name === undefined) return by;
  const inner = withValueAt(memberOf(value, name), rest, by);
  if (Array.isArray(value)) {
    const elements = [...elementsOf(value)];
    const index = name === '-' ? elements.length : Number(name);
    // An index beyond the end would fill the array with holes.
    if (Number.isInteger(index) && index >= 0 && index <= elements.length) elements[index] = inner;
    return elements;
  }
  const own = isObject(value) ? value : {};
  // `fromEntries` defines members: a member named `__proto__` stays a member.
  return Object.fromEntries([...Object.entries(own), [name, inner]]);
}

/** A value in a JSON value that is neither an object nor an array, with its path. */
export interface Leaf {
  readonly path: readonly string[];
  readonly value: null | boolean | number | string;
}

/** Returns all values that are neither objects nor arrays. */
export function leavesOf(value: Json | undefined, path: readonly string[] = []): readonly Leaf[] {
  if (Array.isArray(value))
    return elementsOf(value).flatMap((element, index) =>
      leavesOf(element, [...path, String(index)]),
    );
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
  return value === undefined || typeof value === 'object'
    ? value === null
      ? [{ path, value }]
      : []
    : [{ path, value }];
}

/** Returns a copy in which the members of `by` replace those of the same name, at any depth. */
export function withMembers(value: Json | undefined, by: Json): Json {
  if (!isObject(value) || !isObject(by)) return by;
  return Object.fromEntries([
    ...Object.entries(value),
    ...Object.entries(by).map(([name, member]) => [
      name,
      withMembers(memberOf(value, name), member),
    ]),
  ]) as Json;
}
