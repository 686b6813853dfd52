import { descend, objectsIn, referenceOf } from '../json/descend.ts';
import type { Json } from '../json/json.ts';
import { splitReference, toPath } from './reference.ts';
import type { Source, Sources } from './sources.ts';

/** A place in a file, and the value at that place. */
export interface ReferenceTarget {
  readonly source: Source;
  readonly members: readonly string[];
  readonly value: Json;
}

/**
 * Returns the target of a `$ref` written in the file `from`, among the files already read. Follows further references
 * on the way. Returns `circular` where the references form a cycle, and undefined where a target is missing.
 */
export function follow(
  sources: Sources,
  from: Source,
  reference: string,
): ReferenceTarget | 'circular' | undefined {
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

/** Returns whether a document may contain a reference to another file. */
export function refersToFiles(root: Json): boolean {
  for (const object of objectsIn(root)) {
    if (referenceOf(object)?.startsWith('#') === false) return true;
  }
  return false;
}
