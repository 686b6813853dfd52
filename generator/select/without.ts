import { isJsonObject, type JsonObject } from '../json/json.ts';
import { pointerMembers, type Pointer } from '../json/pointer.ts';

/** What to remove from a value: all of it, or parts of some of its members. */
interface Branch {
  isGone: boolean;
  readonly below: Map<string, Branch>;
}

/** Returns a copy without the members at these places. Unchanged values are shared with the original. */
export function withoutPlaces(root: JsonObject, places: Iterable<Pointer>): JsonObject {
  const trunk: Branch = { isGone: false, below: new Map() };
  for (const place of places) {
    let at = trunk;
    for (const member of pointerMembers(place)) {
      const next: Branch = at.below.get(member) ?? { isGone: false, below: new Map() };
      at.below.set(member, next);
      at = next;
    }
    at.isGone = true;
  }
  return trunk.below.size === 0 ? root : without(root, trunk);
}

function without(value: JsonObject, { below }: Branch): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]) => {
    const branch = below.get(name);
    if (branch?.isGone === true) return [];
    return [[name, branch && isJsonObject(member) ? without(member, branch) : member] as const];
  });
  return Object.fromEntries(members);
}
