import { createDiagnostic, type Diagnostic, type Location } from '../diagnostics/diagnostic.ts';
import { descend, objectsIn, referenceOf } from '../json/descend.ts';
import type { Json } from '../json/json.ts';
import { splitReference } from '../json/split-reference.ts';
import { type Refusal, toPath } from './reference.ts';
import { isRefusal, type Source, type Sources } from './sources.ts';
import { suggestReference } from './suggest-reference.ts';

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

/** Reads the file that a reference written in the file `from` names. An empty `uri` names that file itself. */
export async function readFileOf(
  sources: Sources,
  from: string,
  uri: string,
): Promise<Source | Refusal> {
  const source = uri === '' ? sources.get(from) : undefined;
  if (source !== undefined) return source;
  const to = toPath(from, uri);
  return 'path' in to ? await sources.readReferenced(to.path, uri) : to;
}

/**
 * Reads the file that a reference in the file `from` names, and returns the target there. Does not follow further
 * references. Returns diagnostics if there is no target.
 * @param at returns where the reference is written
 */
export async function readTarget(
  sources: Sources,
  from: string,
  reference: string,
  at: () => Location,
): Promise<ReferenceTarget | readonly Diagnostic[]> {
  const { uri, members } = splitReference(reference);
  const source = await readFileOf(sources, from, uri);
  if (isRefusal(source)) return [createDiagnostic(source.code, source.message, at(), source)];
  if (source.diagnostics.length > 0) return source.diagnostics;
  const { value, depth } = descend(source.value ?? null, members);
  if (source.value !== undefined && depth === members.length) return { source, members, value };
  const message = `\`${reference}\` refers to a member that does not exist.`;
  const help = suggestReference(source.value, reference);
  return [createDiagnostic('unresolved-reference', message, at(), { help })];
}

/** Returns whether a document may contain a reference to another file. */
export function refersToFiles(root: Json): boolean {
  for (const object of objectsIn(root)) {
    if (referenceOf(object)?.startsWith('#') === false) return true;
  }
  return false;
}
