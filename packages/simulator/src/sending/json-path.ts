import { isExactNumber } from './exact-json.ts';
import { elementsOf, isArray, isObject, memberOf, membersOf } from './json-object.ts';
import type { Json } from 'countersign/kit';

/** The members and indexes that lead to a value. */
export type JsonPath = readonly (string | number)[];

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

/** Returns the value at a JSON Pointer (RFC 6901), or `undefined`. */
export function readPointer(value: Json, pointer: string): Json | undefined {
  const path = parsePointer(pointer);
  return path && valueAt(value, path);
}

/** Returns the value at a path, or `undefined`. */
export function valueAt(value: Json | undefined, path: JsonPath): Json | undefined {
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
  const container = isObject(value) ? value : {};
  // `fromEntries` defines members: a member named `__proto__` stays a member.
  return Object.fromEntries([...Object.entries(container), [name, inner]]);
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
  const members = membersOf(value).flatMap(([member, child]) => {
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
      ? membersOf(value)
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
  const child = memberOf(value, name);
  return child === undefined ? [] : expandPath(child, rest, [...path, name]);
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
    return membersOf(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
  return value === undefined || typeof value === 'object'
    ? value === null
      ? [{ path, value }]
      : []
    : [{ path, value }];
}

/** Merges overrides into a value, member by member at any depth. Replaces values that are not objects on both sides. */
export function mergeJson(value: Json | undefined, overrides: Json): Json {
  if (!isObject(value) || !isObject(overrides) || isExactNumber(overrides)) return overrides;
  const merged = Object.entries(overrides).map(
    ([name, member]) => [name, member && mergeJson(memberOf(value, name), member)] as const,
  );
  return Object.fromEntries([...Object.entries(value), ...merged]);
}
