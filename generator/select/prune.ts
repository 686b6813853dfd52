import type { Cursor } from '../json/cursor.ts';
import { objectsIn, referenceOf } from '../json/descend.ts';
import { type Json, isJsonObject } from '../json/json.ts';
import { type Pointer, pointerDocument, pointerMembers, toMember } from '../json/pointer.ts';
import type { Documents } from '../documents/documents.ts';
import { replaceRoots } from './replace-roots.ts';

/** The places to remove from a document, as a tree of members. */
interface Branch {
  isRemoved: boolean;
  readonly below: Map<string, Branch>;
}

/**
 * Returns documents without some places. A reference into a removed place is replaced with its target, such as the
 * schema of a removed response. So is a reference to an object of which only some members are removed. A circular
 * reference stays unchanged, and is reported as unresolved when it is followed.
 * @param places for a member behind a reference, the pointer through the place of the reference
 */
export function prune(documents: Documents, places: Iterable<Pointer>): Documents {
  const byDocument = Map.groupBy(places, pointerDocument);
  return replaceRoots(documents, (root, moved) => {
    const trunk = toTree(byDocument.get(pointerDocument(root.pointer)) ?? []);
    if (trunk.below.size === 0) return root.root;
    const lost = lostReferences(root, trunk);
    const copied = copy(root, [trunk], root.pointer, { trunk, lost, moved, open: [] });
    return isJsonObject(copied) ? copied : root.root;
  });
}

interface Pruning {
  readonly trunk: Branch;
  /** The references into removed places. */
  readonly lost: ReadonlySet<string>;
  readonly moved: Map<Pointer, Pointer>;
  /** The references that are being replaced. */
  readonly open: readonly string[];
}

/**
 * Returns a value without the removed places below it. Shares unchanged values with the original.
 * @param branches what to remove from the value
 * @param place where the copy will be
 */
function copy(at: Cursor, branches: readonly Branch[], place: Pointer, pruning: Pruning): Json {
  const { trunk, lost, moved, open } = pruning;
  const { value = null } = at;
  if (typeof value !== 'object' || value === null) return value;
  if (branches.length === 0 && lost.size === 0) return value;
  const reference = at.localReference;
  if (reference !== undefined && !open.includes(reference)) {
    if (lost.has(reference) || isRemovedBehind(value, branches)) {
      const target = at.lookUp(reference);
      moved.set(place, target.pointer);
      const all = [...branches, ...find(trunk, target.pointer).branches];
      return copy(target, all, place, { ...pruning, open: [...open, reference] });
    }
  }
  const isList = Array.isArray(value);
  const members = isList
    ? at.items().map((item, index) => [`${index}`, item] as const)
    : at.entries();
  const kept: [string, Json | undefined][] = [];
  let isSame = true;
  for (const [name, member] of members) {
    const below = branches.flatMap((branch) => branch.below.get(name) ?? []);
    if (below.some(({ isRemoved }) => isRemoved)) {
      isSame = false;
      continue;
    }
    const to = toMember(place, isList ? kept.length : name);
    if (isList && String(kept.length) !== name) moved.set(to, member.pointer);
    const copied = member.value === undefined ? undefined : copy(member, below, to, pruning);
    isSame &&= copied === member.value;
    kept.push([name, copied]);
  }
  if (isSame) return value;
  return isList ? kept.map(([, item]) => item ?? null) : Object.fromEntries(kept);
}

/** Returns whether members are to be removed that a Reference Object does not have itself. */
function isRemovedBehind(reference: object, branches: readonly Branch[]): boolean {
  return branches.some(({ below }) =>
    [...below.keys()].some((member) => !Object.hasOwn(reference, member)),
  );
}

function toTree(places: Iterable<Pointer>): Branch {
  const trunk: Branch = { isRemoved: false, below: new Map() };
  for (const place of places) {
    let at = trunk;
    for (const member of pointerMembers(place)) {
      const next: Branch = at.below.get(member) ?? { isRemoved: false, below: new Map() };
      at.below.set(member, next);
      at = next;
    }
    at.isRemoved = true;
  }
  return trunk;
}

/** Returns the references of a document that lead into removed places, and are not broken already. */
function lostReferences(root: Cursor, trunk: Branch): ReadonlySet<string> {
  const references = new Set(
    Array.from(objectsIn(root.root), (object) => referenceOf(object) ?? ''),
  );
  const lost = [...references].filter((reference) => {
    if (!reference.startsWith('#')) return false;
    const { pointer, value } = root.lookUp(reference);
    return value !== undefined && find(trunk, pointer).isRemoved;
  });
  return new Set(lost);
}

/** Returns whether a place is in a removed one, and what is removed below it. */
function find(
  trunk: Branch,
  place: Pointer,
): { readonly isRemoved: boolean; readonly branches: readonly Branch[] } {
  let at: Branch | undefined = trunk;
  let isRemoved = false;
  for (const member of pointerMembers(place)) {
    at = at?.below.get(member);
    isRemoved ||= at?.isRemoved === true;
  }
  return { isRemoved, branches: at === undefined ? [] : [at] };
}
