import { isJsonObject, type Json } from '../json/json.ts';
import { splitReference, toPath } from './reference.ts';
import type { Source, Sources } from './sources.ts';

/** A place in a file, and what is written there. */
export interface Target {
  readonly source: Source;
  readonly members: readonly string[];
  readonly value: Json;
}

/**
 * What a `$ref` written in the file `from` leads to among the files already read, references on the way followed;
 * `circular` where following it never ends, undefined where something is missing.
 */
export function follow(
  sources: Sources,
  from: Source,
  reference: string,
): Target | 'circular' | undefined {
  const seen = new Set<string>();
  let source: Source | undefined = from;
  let next = reference;
  let rest: readonly string[] = [];
  for (;;) {
    const split = splitReference(next);
    if (split.uri !== '') {
      const to = toPath(source.path, split.uri);
      source = 'path' in to ? sources.get(to.path) : undefined;
    }
    if (source?.value === undefined) return undefined;
    const members = [...split.members, ...rest];
    const turn = JSON.stringify([source.path, members]);
    if (seen.has(turn) || seen.size > 1000) return 'circular';
    seen.add(turn);

    const { value, depth } = descend(source.value, members);
    const reached = depth === members.length;
    const onward = referenceOf(value);
    if (reached && onward === undefined) return { source, members, value };
    if (onward === undefined) return undefined;
    next = onward;
    rest = members.slice(depth);
  }
}

/** Goes from member to member as far as there are any. */
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

/** A member of an object or an item of an array; undefined where there is none. */
export function childOf(value: Json | undefined, member: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/u.test(member) ? value[Number(member)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

/** The `$ref` of an object that is a reference. */
export function referenceOf(value: Json | undefined): string | undefined {
  return isJsonObject(value) && typeof value.$ref === 'string' ? value.$ref : undefined;
}

/** Whether anything in a document could be a reference to another file. */
export function refersToFiles(root: Json): boolean {
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (referenceOf(value)?.startsWith('#') === false) return true;
    for (const member of Object.values(value)) {
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
  return false;
}
