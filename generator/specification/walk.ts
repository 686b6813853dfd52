import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import { type Pointer, pointerDocument, toMember } from '../json/pointer.ts';
import { Cursor } from '../json/cursor.ts';
import { schemaNameOf } from './multi-format-schema.ts';
import { grammars } from './grammars.ts';
import type { Grammar, ObjectKind, ObjectName, ValueGrammar } from './object-grammar.ts';

/** An object of a document, with its kind in the specification. */
export class Place extends Cursor {
  declare readonly value: JsonObject;
  readonly kind: ObjectKind;
  /** The member of the parent that holds it, such as `properties`. Empty for the object where the walk starts. */
  readonly member: string;
  /**
   * Its name if `member` is a map with names from the contract, its index in a list, otherwise the same as `member`.
   */
  readonly key: string;
  readonly parent: Place | undefined;

  constructor(
    root: JsonObject,
    pointer: Pointer,
    value: JsonObject,
    kind: ObjectKind,
    position: Pick<Place, 'member' | 'key' | 'parent'>,
  ) {
    super(root, pointer, value);
    this.kind = kind;
    this.member = position.member;
    this.key = position.key;
    this.parent = position.parent;
  }
}

/**
 * Yields the object at a cursor and all objects below it, parents first, in the author's order. Does not follow
 * references. Yields nothing if the value is not an object, and nothing of Arazzo documents.
 * @param kind the kind of the object at the cursor
 */
export function* walk({ root, pointer, value }: Cursor, kind: ObjectKind): Generator<Place> {
  if (!isJsonObject(value)) return;
  const document = pointerDocument(pointer);
  if (document === 'workflows') return;
  const { objects } = grammars[document];
  const objectName = document === 'asyncapi' && kind === 'schema' ? schemaNameOf(value) : kind;
  const position = { member: '', key: '', parent: undefined };
  const stack = [new Place(root, pointer, value, kindOf(objectName, objects), position)];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    yield place;
    const below = childrenOf(place, objects);
    for (let child = below.pop(); child !== undefined; child = below.pop()) stack.push(child);
  }
}

/** Returns whether an object has at least one of several own members. */
export function hasAny(object: JsonObject, members: readonly string[]): boolean {
  for (const member of members) if (Object.hasOwn(object, member)) return true;
  return false;
}

/** Returns whether an object has a `$ref`, like a Reference Object. */
export function isReference(place: Cursor): boolean {
  return isJsonObject(place.value) && typeof place.valueIn('$ref') === 'string';
}

/**
 * Returns the objects directly below an object, in the author's order. Creates pointers only for these, because most
 * members hold no object.
 */
function childrenOf(place: Place, objects: Grammar['objects']): Place[] {
  const children: Place[] = [];
  const { kind, value: object } = place;
  const grammar = objects[kind === 'multi-format-schema' ? schemaNameOf(object) : kind];
  if (grammar === undefined) return children;
  const { holders, otherMembers } = grammar;
  for (const member of Object.keys(object)) {
    const value = object[member];
    if (typeof value !== 'object' || value === null) continue;
    const held = holders.get(member) ?? (member.startsWith('x-') ? undefined : otherMembers?.value);
    if (held === undefined) continue;
    addObjects(
      children,
      value,
      held,
      toMember(place.pointer, member),
      member,
      member,
      place,
      objects,
    );
  }
  return children;
}

function addObjects(
  children: Place[],
  value: Json | undefined,
  held: ValueGrammar,
  pointer: Pointer,
  member: string,
  key: string,
  parent: Place,
  objects: Grammar['objects'],
): void {
  if (typeof held !== 'object' || held.type === 'reference') {
    if (!isJsonObject(value)) return;
    const name = typeof held === 'function' ? held(value) : held;
    const kind = typeof name === 'string' ? kindOf(name, objects) : 'reference';
    children.push(new Place(parent.root, pointer, value, kind, { member, key, parent }));
  } else if (held.type === 'map') {
    if (!isJsonObject(value)) return;
    for (const name of Object.keys(value)) {
      const at = toMember(pointer, name);
      addObjects(children, value[name], held.values, at, member, name, parent, objects);
    }
  } else if (held.type === 'list') {
    if (!Array.isArray(value)) return;
    for (const [index, item] of (value as readonly Json[]).entries()) {
      const at = toMember(pointer, index);
      addObjects(children, item, held.items, at, member, String(index), parent, objects);
    }
  } else if (held.type === 'any-of') {
    for (const option of held.options) {
      addObjects(children, value, option, pointer, member, key, parent, objects);
    }
  }
}

function kindOf(name: ObjectName, objects: Grammar['objects']): ObjectKind {
  // A name without a separate kind is a kind.
  return objects[name]?.kind ?? (name as ObjectKind);
}
