import { type Diagnostic, locationKey } from '../diagnostics/diagnostic.ts';
import type { Cursor } from '../json/cursor.ts';
import { referenceOf } from '../json/descend.ts';
import type { Documents } from '../documents/documents.ts';
import { rootsOf } from '../documents/places.ts';

/**
 * Returns a test for diagnostics about dangling references that are not selected. Such a diagnostic has no pointer: one
 * reference of a file can be at several places of both documents. All of them have its location.
 * @param after the selected part of `before`
 */
export function removedReferences(
  before: Documents,
  after: Documents,
): (diagnostic: Diagnostic) => boolean {
  if (before.diagnostics.every(({ pointer }) => pointer !== undefined)) return () => false;
  const referencesBefore = danglingReferences(before);
  const left = danglingReferences(after);
  return (diagnostic) => {
    const location = locationKey(diagnostic);
    return (
      diagnostic.pointer === undefined && referencesBefore.has(location) && !left.has(location)
    );
  };
}

/** Returns the locations of all references without a target. */
function danglingReferences(documents: Documents): ReadonlySet<string> {
  const locations = new Set<string>();
  const visit = (at: Cursor): void => {
    if (typeof at.value !== 'object' || at.value === null) return;
    const file = at.child('externalValue');
    if (file.text() !== undefined) locations.add(locationKey(documents.locate(file.pointer)));
    if (isDangling(at)) locations.add(locationKey(documents.locate(at.child('$ref').pointer)));
    for (const [, member] of at.entries()) visit(member);
    for (const item of at.items()) visit(item);
  };
  for (const root of rootsOf(documents)) visit(root);
  return locations;
}

/** Returns whether a value is a reference that leads to nothing in the document. */
export function isDangling(at: Cursor): boolean {
  if (referenceOf(at.value) === undefined) return false;
  const target = at.follow().value;
  return target === undefined || referenceOf(target) !== undefined;
}
