import { childOf, referenceOf } from './descend.ts';
import { isJsonObject, type Json, type JsonObject, notesIn, textsIn } from './json.ts';
import {
  decodeReference,
  pointerDocument,
  pointerMembers,
  toMember,
  type Pointer,
  type PointerRoot,
} from './pointer.ts';

/** A value in a bundled document with its place. A cursor to a missing member has the value `undefined`. */
export class Cursor {
  readonly root: JsonObject;
  readonly pointer: Pointer;
  readonly value: Json | undefined;

  constructor(root: JsonObject, pointer: Pointer, value: Json | undefined) {
    this.root = root;
    this.pointer = pointer;
    this.value = value;
  }

  /** Returns a cursor to a whole document. */
  static ofDocument(root: JsonObject, document: PointerRoot): Cursor {
    return new Cursor(root, `${document}#`, root);
  }

  /** A cursor to the document that holds the value. */
  get document(): Cursor {
    return Cursor.ofDocument(this.root, pointerDocument(this.pointer));
  }

  /** The local `$ref` of an object, such as `#/components/schemas/Charge`. */
  get localReference(): string | undefined {
    const reference = referenceOf(this.value);
    return reference?.startsWith('#') === true ? reference : undefined;
  }

  /** Returns a cursor with another value at the same place. */
  withValue(value: Json | undefined): Cursor {
    return new Cursor(this.root, this.pointer, value);
  }

  /**
   * Returns a cursor to a member of an object, or to an item of an array. Reads only own members, never the
   * prototype's.
   */
  child(...members: readonly (string | number)[]): Cursor {
    let { pointer, value } = this;
    for (const member of members) {
      value = childOf(value, String(member));
      pointer = toMember(pointer, member);
    }
    return new Cursor(this.root, pointer, value);
  }

  /** Returns the value of a member without creating a cursor. */
  valueIn(...members: readonly string[]): Json | undefined {
    let { value } = this;
    for (const member of members) value = childOf(value, member);
    return value;
  }

  /** Returns the value, or that of a member, if it is a string. */
  text(...members: readonly string[]): string | undefined {
    const value = this.valueIn(...members);
    return typeof value === 'string' ? value : undefined;
  }

  /** Returns whether the value, or that of a member, is `true`. */
  isTrue(...members: readonly string[]): boolean {
    return this.valueIn(...members) === true;
  }

  /** Returns the members of an object, or of a member, in the author's order; none if it is not an object. */
  entries(...members: readonly string[]): readonly (readonly [string, Cursor])[] {
    const { root, pointer, value } = members.length === 0 ? this : this.child(...members);
    if (!isJsonObject(value)) return [];
    return Object.keys(value).map(
      (name) => [name, new Cursor(root, toMember(pointer, name), value[name])] as const,
    );
  }

  /** Returns the items of an array, or of a member; none if it is not an array. */
  items(...members: readonly string[]): readonly Cursor[] {
    const { root, pointer, value } = members.length === 0 ? this : this.child(...members);
    if (!Array.isArray(value)) return [];
    return (value as readonly Json[]).map(
      (item, index) => new Cursor(root, toMember(pointer, index), item),
    );
  }

  /** Returns the items of an array. Any other value is a list of one. */
  listed(): readonly Cursor[] {
    return Array.isArray(this.value) ? this.items() : [this];
  }

  /** Returns the strings of an array, or of a member. */
  texts(...members: readonly string[]): readonly string[] {
    return this.items(...members).flatMap((item) => item.text() ?? []);
  }

  /**
   * Yields this value and every value in it, at any depth, in the author's order. Neither deep nor wide values
   * overflow the stack.
   */
  *withDescendants(): Generator<Cursor> {
    const open: Cursor[] = [this];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      yield at;
      const members = [...at.items(), ...at.entries().map(([, member]) => member)];
      // One by one: a call with hundreds of thousands of arguments overflows the stack.
      for (const member of members.toReversed()) open.push(member);
    }
  }

  /**
   * Follows a chain of local `$ref`s to its target. The value is `undefined` if a reference is unresolved or circular.
   */
  follow(): Cursor {
    return this.localReference === undefined ? this : followReferences(this);
  }

  /** Returns the place that a local `$ref` names. */
  lookUp(reference: string): Cursor {
    return this.document.child(...pointerMembers(decodeReference(reference)));
  }

  /** Returns the `x-source` and, where it has any, the `x-note` of an object, each as a list. */
  annotations(): { readonly source: readonly string[]; readonly notes?: readonly string[] } {
    const notes = notesIn(this.valueIn('x-note'));
    return {
      source: textsIn(this.valueIn('x-source')),
      ...(notes.length === 0 ? {} : { notes }),
    };
  }
}

function followReferences(start: Cursor): Cursor {
  const seen = new Set<string>();
  let here = start;
  for (;;) {
    const reference = here.localReference;
    if (reference === undefined) return here;
    if (seen.has(reference)) return here.withValue(undefined);
    seen.add(reference);
    here = here.lookUp(reference);
  }
}

/** Returns the texts of several members, each from the first object that has it. Leaves out those that none has. */
export function optionalTexts<K extends string>(
  members: readonly K[],
  ...objects: readonly Cursor[]
): { readonly [P in K]?: string } {
  const entries = members.flatMap((member) => {
    const value = objects.map((at) => at.text(member)).find((text) => text !== undefined);
    return value === undefined ? [] : [[member, value] as const];
  });
  return Object.fromEntries(entries) as { readonly [P in K]?: string };
}
