import { isJsonObject, type Json } from '../json/json.ts';
import type { Documents } from '../load/documents.ts';
import { toPointer, type Pointer } from '../json/pointer.ts';
import { lookUp, referenceOf, toCursor } from '../json/cursor.ts';
import { replaceRoots, type Reduced } from './reduced.ts';

/**
 * Replaces references into removed units with their targets, such as the schema of a removed response. A circular
 * reference stays unchanged, and is reported as unresolved when it is followed.
 */
export function restoreReferences(before: Documents, { documents, moved }: Reduced): Reduced {
  const restored = new Map(moved);
  const reduced = replaceRoots(documents, (root, document) => {
    const old = before[document]?.root ?? root;
    const now = toCursor(root, document);
    const then = toCursor(old, document);
    const lost = (reference: string): boolean =>
      lookUp(now, reference).value === undefined && lookUp(then, reference).value !== undefined;
    const restore = (value: Json, at: Pointer, open: readonly string[]): Json => {
      if (Array.isArray(value)) {
        return unlessSame(value as readonly Json[], (item, index) =>
          restore(item, toPointer(at, index), open),
        );
      }
      if (!isJsonObject(value)) return value;
      const reference = referenceOf({ ...now, value });
      if (reference !== undefined && !open.includes(reference) && lost(reference)) {
        const target = lookUp(then, reference);
        restored.set(at, target.pointer);
        return restore(target.value ?? null, at, [...open, reference]);
      }
      let changed = false;
      const members = Object.entries(value).map(([name, member]) => {
        const next = member === undefined ? member : restore(member, toPointer(at, name), open);
        changed ||= next !== member;
        return [name, next] as const;
      });
      return changed ? Object.fromEntries(members) : value;
    };
    const result = restore(root, now.pointer, []);
    return isJsonObject(result) ? result : root;
  });
  return { documents: reduced, moved: restored };
}

function unlessSame(
  list: readonly Json[],
  map: (item: Json, index: number) => Json,
): readonly Json[] {
  const mapped = list.map(map);
  return mapped.every((item, index) => item === list[index]) ? list : mapped;
}
