import { toLocalReference, toPointer } from '../json/pointer.ts';
import { referenceOf } from '../json/descend.ts';
import { splitReference } from '../json/split-reference.ts';
import {
  type MutableJson,
  type MutableObject,
  type Origins,
  isMutableObject,
  membersOf,
  originMembers,
} from './origins.ts';
import { toPath, toRelativeReference } from './reference.ts';

/** Changes, in place, the references of a value written in the file `from`. */
export type ReferenceRewriter = (value: MutableJson, from: string) => void;

/**
 * Returns a rewriter for a document that is bundled again after overlays changed it. A component that the document
 * already contains must not be copied from its file a second time. References to its place in the file become
 * references into the document.
 */
export function toBundledPlaces(
  root: MutableObject,
  entry: string,
  origins: Origins,
): ReferenceRewriter {
  const places = new Map<string, string>();
  for (const [section, members] of membersOf(root.components)) {
    for (const [name, component] of membersOf(members)) {
      const origin = isMutableObject(component) ? origins.of(component) : undefined;
      if (origin === undefined || referenceOf(component) !== undefined) continue;
      const { source } = origin;
      const pointer = toPointer('openapi#', 'components', section, name);
      const place = JSON.stringify([source.path, originMembers(origin)]);
      places.set(place, toLocalReference(pointer));
    }
  }

  const rewrite: ReferenceRewriter = (value, from) => {
    if (typeof value !== 'object' || value === null) return;
    const reference = referenceOf(value);
    if (reference !== undefined && isMutableObject(value)) {
      const { uri, members } = splitReference(reference);
      const to = uri === '' ? { path: from } : toPath(from, uri);
      const place = 'path' in to ? places.get(JSON.stringify([to.path, members])) : undefined;
      if (place !== undefined) {
        value.$ref = from === entry ? place : `${toRelativeReference(from, entry)}${place}`;
      }
    }
    for (const child of Object.values(value)) rewrite(child, from);
  };
  return rewrite;
}
