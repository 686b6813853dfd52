import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import { pointerMembers } from '../json/pointer.ts';
import { descend, referenceOf } from '../json/descend.ts';

/**
 * Whether a value is for sure what its place asks for, references in it followed. `false` says nothing about the value:
 * it may be sound in a way that only the tools of its specification know.
 */
export type Shape = (value: Json, walk: Walk) => boolean;

/** What the documents of a specification consist of. */
export interface DocumentShapes {
  readonly document: Shape;
  /** The keys of our vocabulary that hold more than data. */
  readonly vocabulary: ReadonlyMap<string, Shape>;
  /** The names of extensions that every tool takes for such. */
  readonly extensionNames: RegExp;
}

/** Values within values, references followed, beyond which a document is for the tools to judge. */
const mostLevels = 1000;

/** References that lead to references, beyond which they might go round. */
const mostHops = 20;

/** One walk through a bundled document. */
export class Walk {
  readonly root: JsonObject;
  readonly #vocabulary: ReadonlyMap<string, Shape>;
  readonly #extensionNames: RegExp;
  readonly #targets = new Map<string, Json | undefined>();
  readonly #seen = new Map<Shape, Set<Json>>();
  #levels = 0;
  #resolvesAll: boolean | undefined;

  constructor(root: JsonObject, shapes: Omit<DocumentShapes, 'document'>) {
    this.root = root;
    this.#vocabulary = shapes.vocabulary;
    this.#extensionNames = shapes.extensionNames;
  }

  /** The shape of an extension; none where its name is no extension's. */
  extension(name: string): Shape | undefined {
    return this.#vocabulary.get(name) ?? (this.#extensionNames.test(name) ? extension : undefined);
  }

  /** The same answer as the shape's, which looks at a value once, however many references lead to it. */
  once(value: Json, shape: Shape): boolean {
    let seen = this.#seen.get(shape);
    if (seen === undefined) this.#seen.set(shape, (seen = new Set()));
    // What is being looked at is sound until shown otherwise; then the whole document is not.
    if (seen.has(value)) return true;
    seen.add(value);
    return shape(value, this);
  }

  /** Whether a value's members are sound; they are one level further down. */
  deeper(check: () => boolean): boolean {
    this.#levels += 1;
    const sound = this.#levels <= mostLevels && check();
    this.#levels -= 1;
    return sound;
  }

  /** What a reference leads to within the document; a reference again only where that one leads somewhere. */
  target(reference: string): Json | undefined {
    if (this.#targets.has(reference)) return this.#targets.get(reference);
    const found = this.#find(reference);
    let end = found;
    for (let hops = 0; end !== undefined; hops++) {
      const next = referenceOf(end);
      if (next === undefined) break;
      end = hops < mostHops ? this.#find(next) : undefined;
    }
    const target = end === undefined ? undefined : found;
    this.#targets.set(reference, target);
    return target;
  }

  /** Whether there is a reference in a value, whatever it is there. */
  refersWithin(value: Json): boolean {
    if (typeof value !== 'object' || value === null) return false;
    if ('$ref' in value || 'externalValue' in value) return true;
    return Object.values(value).some((member) => this.refersWithin(member ?? null));
  }

  /** Whether every reference leads to a place in the document. */
  resolvesAll(): boolean {
    this.#resolvesAll ??= this.#resolves(this.root);
    return this.#resolvesAll;
  }

  #resolves(value: Json): boolean {
    if (typeof value !== 'object' || value === null) return true;
    const reference = referenceOf(value);
    if (reference !== undefined && this.target(reference) === undefined) return false;
    return (
      !('externalValue' in value) &&
      Object.values(value).every((member) => this.#resolves(member ?? null))
    );
  }

  #find(reference: string): Json | undefined {
    if (!reference.startsWith('#/') || reference.includes('%')) return undefined;
    const members = pointerMembers(reference);
    // Tools differ in what an empty member is.
    if (members.includes('')) return undefined;
    const { value, depth } = descend(this.root, members);
    return depth === members.length ? value : undefined;
  }
}

export const text: Shape = (value) => typeof value === 'string';
export const truth: Shape = (value) => typeof value === 'boolean';
export const number: Shape = (value) => typeof value === 'number';
export const count: Shape = (value) => Number.isInteger(value) && Number(value) >= 0;

/** Data that nobody looks into. */
export const data: Shape = () => true;
export const list: Shape = (value) => Array.isArray(value);

export function oneOf(...values: readonly string[]): Shape {
  return (value) => typeof value === 'string' && values.includes(value);
}

export function either(first: Shape, second: Shape): Shape {
  return (value, walk) => first(value, walk) || second(value, walk);
}

/** A list; where `least` is one, not an empty one. */
export function listOf(shape: Shape, least = 0): Shape {
  return (value, walk) => {
    if (!Array.isArray(value) || value.length < least) return false;
    const items: readonly Json[] = value;
    return walk.deeper(() => items.every((item) => shape(item, walk)));
  };
}

/** An object whose names are its author's. */
export function mapOf(shape: Shape, names?: RegExp, once = false): Shape {
  return (value, walk) => {
    // A member `$ref` that is text makes a reference of it.
    if (!isJsonObject(value) || referenceOf(value) !== undefined) return false;
    return walk.deeper(() =>
      Object.keys(value).every((name) => {
        if (names?.test(name) === false) return false;
        const member = value[name] ?? null;
        return once ? walk.once(member, shape) : shape(member, walk);
      }),
    );
  };
}

/** What an object is asked for. */
export interface ObjectShape {
  readonly required?: readonly string[];
  /** Whether keys that begin with `x-` may stand in it, as in most objects; default true. */
  readonly extensible?: boolean;
  /** The shape of members that have no name here; without it there are none. */
  readonly others?: (name: string) => Shape | undefined;
  readonly rule?: (value: JsonObject, walk: Walk) => boolean;
}

/** An object whose names its specification gives. */
export function object(
  members: Readonly<Record<string, Shape>>,
  { required = [], extensible = true, others, rule }: ObjectShape = {},
): Shape {
  const known: ReadonlyMap<string, Shape> = new Map(Object.entries(members));
  const shapeOf = (name: string, walk: Walk): Shape | undefined => {
    const shape = known.get(name);
    if (shape !== undefined) return shape;
    return extensible && name.startsWith('x-') ? walk.extension(name) : others?.(name);
  };
  return (value, walk) => {
    if (!isJsonObject(value)) return false;
    if (!required.every((name) => Object.hasOwn(value, name))) return false;
    if (rule?.(value, walk) === false) return false;
    return walk.deeper(() =>
      Object.keys(value).every((name) => shapeOf(name, walk)?.(value[name] ?? null, walk) === true),
    );
  };
}

/**
 * What an extension holds is its author's alone. But a reference in it is followed, and every other one behind it, data or
 * not; then all there are have to lead somewhere.
 */
const extension: Shape = (value, walk) => !walk.refersWithin(value) || walk.resolvesAll();

/** A shape, or a reference to it. What stands beside `$ref` has to be sound by `siblings`. */
export function orReference(shape: Shape, siblings: Shape = referenceAlone): Shape {
  const referable: Shape = (value, walk) => {
    const reference = referenceOf(value);
    if (reference === undefined) return shape(value, walk);
    const target = walk.target(reference);
    if (target === undefined || !siblings(value, walk)) return false;
    return walk.deeper(() => walk.once(target, referable));
  };
  return referable;
}

const referenceAlone: Shape = (value) => isJsonObject(value) && Object.keys(value).length === 1;
