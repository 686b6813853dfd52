import { type Pointer, pointerDocument, pointerMembers, toPointer } from '../json/pointer.ts';
import type { Documents } from '../documents/documents.ts';
import { rootsOf } from '../documents/places.ts';

/**
 * Returns all places that contain some places, in themselves or behind local references.
 * @param isBoundary whether what is above a place counts as not containing it
 */
export function containing(
  documents: Documents,
  places: Iterable<Pointer>,
  isBoundary: (place: Pointer) => boolean,
): ReadonlySet<Pointer> {
  const referrers = referrersIn(documents);
  const containers = new Set<Pointer>();
  const queue = [...places];
  for (let start = queue.pop(); start !== undefined; start = queue.pop()) {
    const members = pointerMembers(start);
    for (let length = members.length; length > 0; length -= 1) {
      const place = toPointer(`${pointerDocument(start)}#`, ...members.slice(0, length));
      if (containers.has(place)) break;
      containers.add(place);
      queue.push(...(referrers.get(place) ?? []));
      if (isBoundary(place)) break;
    }
  }
  return containers;
}

/** Returns the places of all references by the place that they name. */
function referrersIn(documents: Documents): ReadonlyMap<Pointer, readonly Pointer[]> {
  const referrers = new Map<Pointer, Pointer[]>();
  for (const root of rootsOf(documents)) {
    for (const at of root.withDescendants()) {
      const { localReference: reference } = at;
      if (reference === undefined) continue;
      const { pointer } = at.lookUp(reference);
      const placeReferrers = referrers.get(pointer);
      if (placeReferrers === undefined) referrers.set(pointer, [at.pointer]);
      else placeReferrers.push(at.pointer);
    }
  }
  return referrers;
}
