import { isJsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';

/**
 * Returns whether two values of a document are the same JSON after local references are resolved. A reference with
 * siblings only equals a reference to the same place. Uses a stack, because schemas can be deeply nested and circular.
 */
export function isSame(a: Cursor, b: Cursor): boolean {
  const compared = new Set<`${Pointer} ${Pointer}`>();
  const stack: (readonly [Cursor, Cursor])[] = [[a, b]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [left, right] = next;
    const pair = `${left.pointer} ${right.pointer}` as const;
    if (left.pointer === right.pointer || left.value === right.value || compared.has(pair))
      continue;
    compared.add(pair);
    const targets = [onlyTarget(left), onlyTarget(right)] as const;
    if (targets[0] !== undefined || targets[1] !== undefined) {
      stack.push([targets[0] ?? left, targets[1] ?? right]);
      continue;
    }
    const [ours, theirs] = [membersOf(left), membersOf(right)];
    const isAlike = Array.isArray(left.value) === Array.isArray(right.value);
    if (!isAlike || ours === undefined || ours.size !== theirs?.size) return false;
    for (const [name, member] of ours) {
      const other = theirs.get(name);
      if (other === undefined) return false;
      stack.push([member, other]);
    }
  }
  return true;
}

/** Returns the target of a reference without siblings. */
function onlyTarget(at: Cursor): Cursor | undefined {
  const reference = at.localReference;
  const isLone = isJsonObject(at.value) && Object.keys(at.value).length === 1;
  return reference !== undefined && isLone ? at.lookUp(reference) : undefined;
}

/** Returns the members of an object or a list; `undefined` for a scalar. */
function membersOf(at: Cursor): ReadonlyMap<string | number, Cursor> | undefined {
  if (Array.isArray(at.value)) return new Map(at.items().entries());
  return isJsonObject(at.value) ? new Map(at.entries()) : undefined;
}
