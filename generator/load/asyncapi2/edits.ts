import { type Diagnostic, type Location, createDiagnostic } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../diagnostics/catalogue.ts';
import { type Json, isJsonObject } from '../../json/json.ts';
import { descend, referenceOf } from '../../json/descend.ts';
import {
  decodeReference,
  pointerMembers,
  toLocalReference,
  toPointer,
} from '../../json/pointer.ts';
import {
  type MutableJson,
  type MutableObject,
  type Origin,
  type Origins,
  isMutableObject,
  originMembers,
} from '../origins.ts';
import type { Source, Sources } from '../sources.ts';

/** What a conversion reads besides the document. */
export interface ConversionContext {
  readonly entry: Source;
  readonly sources: Sources;
  readonly origins: Origins;
}

/** The changes that a conversion makes. Each keeps the place in the file where a value is written. */
export class Edits {
  readonly diagnostics: Diagnostic[] = [];
  readonly context: ConversionContext;
  readonly root: MutableObject;

  constructor(root: MutableObject, context: ConversionContext) {
    this.root = root;
    this.context = context;
  }

  /** Creates an object with the place of `like`. */
  object(like: Origin | undefined): MutableObject {
    const created = like === undefined ? {} : this.context.origins.adopt({}, like);
    return isMutableObject(created) ? created : {};
  }

  /** Copies an object and its lists, but no object in it. */
  copy(value: MutableObject): MutableObject {
    const { origins } = this.context;
    const copy = this.object(origins.of(value));
    for (const [member, child] of Object.entries(value)) {
      copy[member] = Array.isArray(child) ? this.list(origins.of(child), child) : child;
    }
    return copy;
  }

  /** Creates a list with the place of `like`. */
  list(like: Origin | undefined, items: readonly MutableJson[]): MutableJson[] {
    const created = like === undefined ? [] : this.context.origins.adopt([], like);
    const list = Array.isArray(created) ? created : [];
    list.push(...items);
    return list;
  }

  /** Creates a reference to a member of the converted document. */
  reference(like: Origin | undefined, ...members: readonly string[]): MutableObject {
    const $ref = toLocalReference(toPointer('asyncapi#', ...members));
    return Object.assign(this.object(like), { $ref });
  }

  /** Sets a scalar member that is written at `origin`. */
  set(holder: MutableObject, member: string, value: string, origin: Origin | undefined): void {
    holder[member] = value;
    this.context.origins.setMember(holder, member, origin);
  }

  /** Moves a member to another object or another name; does nothing where it does not exist. */
  move(from: MutableObject, member: string, to: MutableObject, name: string = member): void {
    const value = from[member];
    if (value === undefined) return;
    const origin = this.context.origins.ofMember(from, member);
    delete from[member];
    to[name] = value;
    if (typeof value !== 'object' || value === null) {
      this.context.origins.setMember(to, name, origin);
    }
  }

  /** Follows local references; `undefined` where they do not lead to an object. */
  resolve(value: MutableJson | undefined): MutableObject | undefined {
    let at = value;
    for (let steps = 0; steps < 100; steps += 1) {
      const reference = referenceOf(at);
      if (reference === undefined) return isMutableObject(at) ? at : undefined;
      at = this.lookUp(reference);
    }
    return undefined;
  }

  /** Returns the target of one local reference. */
  lookUp(reference: string): MutableJson | undefined {
    if (!reference.startsWith('#')) return undefined;
    const members = pointerMembers(decodeReference(reference));
    const { value, depth } = descend(this.root, members);
    return depth === members.length ? (value as MutableJson) : undefined;
  }

  /** Returns the object of a section of `components`, or an empty one. */
  components(section: string): MutableObject {
    const { components } = this.root;
    const members = isMutableObject(components) ? components[section] : undefined;
    return isMutableObject(members) ? members : {};
  }

  /** Reports a problem at a member of an object, or at the object where it has no such member. */
  report(code: DiagnosticCode, message: string, holder: MutableObject, member = ''): void {
    const { origins } = this.context;
    const origin = origins.ofMember(holder, member) ?? origins.of(holder);
    this.diagnostics.push(createDiagnostic(code, message, this.#locate(origin)));
  }

  #locate(origin: Origin | undefined): Location {
    return origin === undefined
      ? this.context.entry.locate([])
      : origin.source.locate(originMembers(origin));
  }
}

/** Returns the items of a list; none of another value. */
export function itemsOf(value: MutableJson | undefined): readonly MutableJson[] {
  return Array.isArray(value) ? value : [];
}

/** The last number that `freeName` gave a name, so that many equal names do not take quadratic time. */
const lastNumbers = new WeakMap<MutableObject, Map<string, number>>();

/** Returns a name that an object does not have yet: the wanted one, or that with a number. */
export function freeName(holder: MutableObject, wanted: string): string {
  if (!Object.hasOwn(holder, wanted)) return wanted;
  const numbers = lastNumbers.get(holder) ?? new Map<string, number>();
  lastNumbers.set(holder, numbers);
  let number = (numbers.get(wanted) ?? 1) + 1;
  while (Object.hasOwn(holder, `${wanted}-${number}`)) number += 1;
  numbers.set(wanted, number);
  return `${wanted}-${number}`;
}

/** A reference of a document, and the object that it leads to. */
export interface KnownReference {
  readonly holder: MutableObject;
  readonly target: MutableObject;
}

/** Returns the local references of a document that lead to objects. Values that are data are left out. */
export function collectReferences(edits: Edits): readonly KnownReference[] {
  const references: KnownReference[] = [];
  const open: MutableJson[] = [edits.root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const item of value) open.push(item);
    if (!isMutableObject(value)) continue;
    const reference = referenceOf(value);
    const target = reference === undefined ? undefined : edits.lookUp(reference);
    if (isMutableObject(target)) references.push({ holder: value, target });
    for (const [member, child] of Object.entries(value)) {
      if (!data.has(member) && !member.startsWith('x-')) open.push(child);
    }
  }
  return references;
}

const data: ReadonlySet<string> = new Set(['examples', 'example', 'enum', 'const', 'default']);

/** Corrects every reference whose target is at another place now. */
export function followMoves(edits: Edits, references: readonly KnownReference[]): void {
  let places: ReadonlyMap<object, string> | undefined;
  for (const { holder, target } of references) {
    const reference = referenceOf(holder);
    if (reference === undefined || edits.lookUp(reference) === target) continue;
    places ??= placesIn(edits.root);
    // The conversion leaves out references to alternatives, for example.
    if (!places.has(holder)) continue;
    const place = places.get(target);
    if (place !== undefined) holder['$ref'] = place;
    else edits.report('unresolved-reference', noTarget(reference), holder, '$ref');
  }
}

function noTarget(reference: string): string {
  return `\`${reference}\` leads to a member that has no place in AsyncAPI 3.`;
}

/** Returns the local reference of every object in a document. */
function placesIn(root: Json): ReadonlyMap<object, string> {
  const places = new Map<object, string>();
  const visit = (value: Json | undefined, members: readonly string[]): void => {
    if (typeof value !== 'object' || value === null || places.has(value)) return;
    places.set(value, toLocalReference(toPointer('asyncapi#', ...members)));
    const children = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
    for (const [member, child] of children) visit(child, [...members, member]);
  };
  visit(root, []);
  return places;
}
