import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import type { Budgets } from './budgets.ts';
import { follow } from './follow.ts';
import { childOf, descend, referenceOf } from '../json/descend.ts';
import type { Source, Sources } from './sources.ts';

/** Where a value of a bundled document comes from: a file, and the path to the value in it. */
export interface Origin {
  readonly source: Source;
  /** The origin of the object or array that holds the value; left out for the whole file. */
  readonly parent?: Origin;
  readonly member?: string;
}

/** A place in a file: the path of members from the root of its value. */
export interface WrittenPlace {
  readonly source: Source;
  readonly members: readonly string[];
}

/** A JSON object that bundling and overlays may still change. */
export interface MutableObject {
  [member: string]: MutableJson;
}

/** A JSON value that bundling and overlays may still change. */
export type MutableJson = null | boolean | number | string | MutableJson[] | MutableObject;

/** Returns the path from the root of an origin's file to its place. */
export function originMembers(origin: Origin): readonly string[] {
  const members: string[] = [];
  for (let at: Origin | undefined = origin; at?.member !== undefined; at = at.parent) {
    members.unshift(at.member);
  }
  return members;
}

/** Returns the origin of a member of `parent`. */
export function childOrigin(parent: Origin, member: string): Origin {
  return { source: parent.source, parent, member };
}

/** Records, by object identity, in which place of which file each object of a bundled document was written. */
export class Origins {
  readonly #sources: Sources;
  readonly #objects = new WeakMap<object, Origin>();
  readonly #kept = new WeakMap<object, Source>();
  readonly #overrides = new WeakMap<object, Map<string, Origin | undefined>>();

  /** @param sources the files in which the targets of replaced references are found */
  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Registers a file's value as a document that does not change any more. Its places are those of the file. */
  keep(root: JsonObject, source: Source): void {
    this.#kept.set(root, source);
  }

  /** Returns a deep copy in which every object and array has a recorded place below `origin`. */
  adopt(value: Json, origin: Origin): MutableJson {
    if (typeof value !== 'object' || value === null) return value;
    const child = (member: string, of: Json): MutableJson =>
      typeof of === 'object' && of !== null ? this.adopt(of, childOrigin(origin, member)) : of;
    const copy: MutableJson[] | MutableObject = Array.isArray(value)
      ? value.map((item: Json, index) => child(String(index), item))
      : mapMembers(value, child);
    this.#objects.set(copy, origin);
    return copy;
  }

  /** Returns the place of an object or array; undefined for one that the toolkit or a library created. */
  of(value: object): Origin | undefined {
    return this.#objects.get(value);
  }

  /** Records that a scalar member is written in another place than its object. */
  setMember(holder: object, member: string, origin: Origin | undefined): void {
    const members = this.#overrides.get(holder) ?? new Map<string, Origin | undefined>();
    this.#overrides.set(holder, members.set(member, origin));
  }

  /** Returns the place of a member, wherever it is written; undefined where no file contains it. */
  ofMember(holder: Json, member: string): Origin | undefined {
    if (typeof holder !== 'object' || holder === null) return undefined;
    const override = this.#overrides.get(holder);
    if (override?.has(member) === true) return override.get(member);
    const child = childOf(holder, member);
    const ownOrigin = typeof child === 'object' && child !== null ? this.of(child) : undefined;
    if (ownOrigin !== undefined) return ownOrigin;
    const origin = this.of(holder);
    return origin === undefined ? undefined : this.#writtenMember(origin, member);
  }

  /** Returns a copy as a tree in which no object occurs twice, or undefined where it exceeds the budgets. */
  detach(root: JsonObject, budgets: Budgets): MutableObject | undefined {
    let nodes = 0;
    let exceeded = false;
    const copy = (value: Json, depth: number): MutableJson => {
      nodes += 1;
      exceeded ||= nodes > budgets.maxNodes || depth > budgets.maxDepth;
      if (exceeded || typeof value !== 'object' || value === null) {
        return typeof value === 'object' ? null : value;
      }
      const result: MutableJson[] | MutableObject = Array.isArray(value)
        ? value.map((item: Json) => copy(item, depth + 1))
        : mapMembers(value, (_, child) => copy(child, depth + 1));
      const origin = this.of(value);
      if (origin !== undefined) this.#objects.set(result, origin);
      const override = this.#overrides.get(value);
      if (override !== undefined) this.#overrides.set(result, new Map(override));
      return result;
    };
    const result = copy(root, 0);
    return exceeded || !isMutableObject(result) ? undefined : result;
  }

  /** Returns the nearest written place on the path to `members`. */
  find(root: JsonObject, members: readonly string[], fallback: Source): WrittenPlace {
    const file = this.#kept.get(root);
    if (file !== undefined)
      return { source: file, members: members.slice(0, descend(root, members).depth) };
    let holder: Json = root;
    let best = this.of(root);
    for (const member of members) {
      const child = childOf(holder, member);
      if (child === undefined) break;
      best = this.ofMember(holder, member) ?? best;
      holder = child;
    }
    return best === undefined
      ? { source: fallback, members: [] }
      : { source: best.source, members: originMembers(best) };
  }

  // The object that replaces a `$ref` still has the origin of the `$ref`, and its scalars have no identity to record.
  #writtenMember(origin: Origin, member: string): Origin | undefined {
    const members = originMembers(origin);
    const { value, depth } = descend(origin.source.value ?? null, members);
    if (depth < members.length) return undefined;
    if (childOf(value, member) !== undefined) return childOrigin(origin, member);
    const target = writtenReference(this.#sources, origin)?.target;
    if (typeof target !== 'object' || childOf(target.value, member) === undefined) return undefined;
    return childOrigin(toOrigin(target.source, target.members), member);
  }
}

/** Returns the reference that is written at a place, and where it leads; bundling can have put its target there. */
export function writtenReference(
  sources: Sources,
  origin: Origin,
): { readonly reference: string; readonly target: ReturnType<typeof follow> } | undefined {
  const members = originMembers(origin);
  const { value, depth } = descend(origin.source.value ?? null, members);
  const reference = depth === members.length ? referenceOf(value) : undefined;
  return reference === undefined
    ? undefined
    : { reference, target: follow(sources, origin.source, reference) };
}

/** Returns the origin of a place in a file. */
export function toOrigin(source: Source, members: readonly string[]): Origin {
  return members.reduce<Origin>(childOrigin, { source });
}

/** Returns the members of an object; none of another value. */
export function membersOf(value: MutableJson | undefined): readonly [string, MutableJson][] {
  return isMutableObject(value) ? Object.entries(value) : [];
}

/** Returns whether a value is an object that may be changed, and not an array, a scalar or null. */
export function isMutableObject(value: MutableJson | undefined): value is MutableObject {
  return isJsonObject(value);
}

function mapMembers(value: Json, map: (member: string, child: Json) => MutableJson): MutableObject {
  const result: MutableObject = {};
  for (const [member, child] of Object.entries(isJsonObject(value) ? value : {})) {
    if (child !== undefined) result[member] = map(member, child);
  }
  return result;
}
