import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import { pointerMembers } from '../json/pointer.ts';
import { descend, referenceOf } from '../json/descend.ts';

/**
 * Returns whether a value is certainly valid in its place, including the targets of its references. `false` does not
 * mean that the value is invalid: the tools of its specification have to decide.
 */
export type Shape = (value: Json, walk: Walk) => boolean;

/** The grammar of a specification's documents. */
export interface DocumentShapes {
  readonly document: Shape;
  /** The keys of the vocabulary that can contain schemas or examples. */
  readonly vocabulary: ReadonlyMap<string, Shape>;
  /** The names that every tool accepts for extensions. */
  readonly extensionNames: RegExp;
}

/**
 * The maximum depth of nested values, across references. The specification's tools have to validate a deeper document.
 */
const mostLevels = 1000;

/** The maximum length of a chain of references. A longer one could be circular. */
const mostHops = 20;

/** The state of one traversal of a bundled document. */
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

  /** Returns the shape of an extension, or `undefined` if the name is not that of an extension. */
  extension(name: string): Shape | undefined {
    return this.#vocabulary.get(name) ?? (this.#extensionNames.test(name) ? extension : undefined);
  }

  /** Applies a shape to a value once, however many references lead to the value. */
  once(value: Json, shape: Shape): boolean {
    let seen = this.#seen.get(shape);
    if (seen === undefined) this.#seen.set(shape, (seen = new Set()));
    // A visited value counts as valid. If it is invalid, its first visit fails the whole document.
    if (seen.has(value)) return true;
    seen.add(value);
    return shape(value, this);
  }

  /** Runs a check one level deeper. Returns `false` beyond the maximum depth. */
  deeper(check: () => boolean): boolean {
    this.#levels += 1;
    const sound = this.#levels <= mostLevels && check();
    this.#levels -= 1;
    return sound;
  }

  /**
   * Returns the target of a reference within the document. A target that is a reference itself is returned only if its
   * own chain resolves.
   */
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

  /** Returns whether a value contains a `$ref` or an `externalValue`, even as data. */
  refersWithin(value: Json): boolean {
    if (typeof value !== 'object' || value === null) return false;
    if ('$ref' in value || 'externalValue' in value) return true;
    return Object.values(value).some((member) => this.refersWithin(member ?? null));
  }

  /** Returns whether every reference in the document resolves within it. */
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
    // Tools interpret an empty member differently.
    if (members.includes('')) return undefined;
    const { value, depth } = descend(this.root, members);
    return depth === members.length ? value : undefined;
  }
}

export const text: Shape = (value) => typeof value === 'string';
export const truth: Shape = (value) => typeof value === 'boolean';
export const number: Shape = (value) => typeof value === 'number';
export const count: Shape = (value) => Number.isInteger(value) && Number(value) >= 0;

/** Any value. It is not checked. */
export const data: Shape = () => true;
export const list: Shape = (value) => Array.isArray(value);

export function oneOf(...values: readonly string[]): Shape {
  return (value) => typeof value === 'string' && values.includes(value);
}

export function either(first: Shape, second: Shape): Shape {
  return (value, walk) => first(value, walk) || second(value, walk);
}

/** Creates the shape of a list with at least `least` items. */
export function listOf(shape: Shape, least = 0): Shape {
  return (value, walk) => {
    if (!Array.isArray(value) || value.length < least) return false;
    const items: readonly Json[] = value;
    return walk.deeper(() => items.every((item) => shape(item, walk)));
  };
}

/**
 * Creates the shape of an object whose member names the author chooses.
 * @param names the pattern of the names; any name by default
 * @param once whether to check a member once if several references lead to it
 */
export function mapOf(shape: Shape, names?: RegExp, once = false): Shape {
  return (value, walk) => {
    // With a string `$ref`, the object is a reference.
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

/** The constraints on an object. */
export interface ObjectShape {
  readonly required?: readonly string[];
  /** Whether the object can have extensions, as most objects can; true by default. */
  readonly extensible?: boolean;
  /** The shape of members that are not listed by name. Without it, they are not allowed. */
  readonly others?: (name: string) => Shape | undefined;
  readonly rule?: (value: JsonObject, walk: Walk) => boolean;
}

/** Creates the shape of an object whose member names the specification defines. */
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
 * The value of an extension is arbitrary. But tools follow a reference in it, and then also those behind it, even in
 * data. All references of the document have to resolve in this case.
 */
const extension: Shape = (value, walk) => !walk.refersWithin(value) || walk.resolvesAll();

/**
 * Creates the shape of a value or a reference to it.
 * @param siblings the shape of a reference together with the members beside `$ref`; allows none by default
 */
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
