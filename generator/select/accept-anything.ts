import type { Cursor } from '../json/cursor.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type Pointer, toMember } from '../json/pointer.ts';
import type { Documents } from '../documents/documents.ts';
import { placesOf } from '../documents/places.ts';
import { replaceRoots } from './replace-roots.ts';
import { containing } from './containing.ts';

/**
 * Returns documents in which some references of schemas accept any value. Everything that accepts a value with the
 * targets still accepts it: a schema that contains such a reference loses the keywords by which it would refuse more.
 * @param places the Reference Objects that are replaced with a schema without assertions
 */
export function acceptAnything(documents: Documents, places: ReadonlySet<Pointer>): Documents {
  if (places.size === 0) return documents;
  const wider = containing(documents, places, () => false);
  const edits = new Map<Pointer, (schema: JsonObject, at: Cursor) => readonly Member[]>();
  for (const place of placesOf(documents, 'schema')) {
    if (wider.has(place.pointer)) edits.set(place.pointer, (_, at) => widen(at, wider));
  }
  for (const pointer of places) edits.set(pointer, withoutAssertions);
  return replaceRoots(documents, (root, moved) => {
    const rewrite = (at: Cursor, to: Pointer): Json => {
      const { value = null } = at;
      if (Array.isArray(value))
        return at.items().map((item, index) => rewrite(item, toMember(to, index)));
      if (!isJsonObject(value)) return value;
      const members =
        edits.get(at.pointer)?.(value, at) ??
        at.entries().map(([name, member]): Member => ({ name, member }));
      return Object.fromEntries(
        members.map(({ name, member }) => {
          const place = toMember(to, name);
          if (member.pointer !== place) moved.set(place, member.pointer);
          return [name, rewrite(member, place)];
        }),
      );
    };
    const rewritten = rewrite(root, root.pointer);
    return isJsonObject(rewritten) ? rewritten : root.root;
  });
}

/** A member of a rewritten schema, and the member that it is made from. */
interface Member {
  readonly name: string;
  readonly member: Cursor;
}

/** Returns the members of a Reference Object that describe its value and assert nothing. */
function withoutAssertions(_: JsonObject, at: Cursor): readonly Member[] {
  return at
    .entries()
    .filter(([name]) => name === 'title' || name === 'description' || name === 'deprecated')
    .map(([name, member]) => ({ name, member }));
}

/**
 * Returns the members of a schema without those that refuse a value because a subschema accepts it: `not`, `if` with
 * its branches, `maxContains` and `unevaluated…`. `oneOf` becomes `anyOf`, because several alternatives can accept a
 * value now, or is left out beside another `anyOf`.
 */
function widen(at: Cursor, wider: ReadonlySet<Pointer>): readonly Member[] {
  const isWider = (keyword: string): boolean => wider.has(at.child(keyword).pointer);
  return at.entries().flatMap(([name, member]): readonly Member[] => {
    switch (name) {
      case 'oneOf':
        if (!isWider(name)) return [{ name, member }];
        return at.child('anyOf').value === undefined ? [{ name: 'anyOf', member }] : [];
      case 'discriminator':
        return isWider('oneOf') || isWider('anyOf') ? [] : [{ name, member }];
      case 'not':
        return isWider(name) ? [] : [{ name, member }];
      case 'if':
      case 'then':
      case 'else':
        return isWider('if') ? [] : [{ name, member }];
      case 'maxContains':
        return isWider('contains') ? [] : [{ name, member }];
      case 'unevaluatedProperties':
      case 'unevaluatedItems':
        return [];
      default:
        return [{ name, member }];
    }
  });
}
