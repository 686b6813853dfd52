import { memoize } from '../execution/memoize.ts';
import { Cursor } from '../json/cursor.ts';
import { objectsIn } from '../json/descend.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import {
  declaredValues,
  discriminatingProperty,
  mappingTarget,
  selectingValues,
} from './discriminator-values.ts';
import type { JsonSchema } from './model.ts';
import { conjunctsAt } from './visit.ts';

/** The discriminating property that a schema inherits by `allOf`, and its values. */
export interface InheritedDiscriminator {
  readonly property: string;
  /** Whether a value that is missing or not mapped selects this schema. */
  readonly isDefault: boolean;
  /** The values that select this schema; `undefined` where the contract states none. */
  readonly selectingValues: readonly string[] | undefined;
  /** The values that select this schema or one that inherits from it. */
  readonly all: readonly string[] | undefined;
  /** The schemas that inherit from it, directly or not. */
  readonly heirs: readonly Pointer[];
}

/**
 * Returns the discriminators that a component schema inherits from a parent, which it refers to in `allOf`. A parent
 * has a `discriminator` and no alternatives.
 * @see OpenAPI 3.1, 4.8.25 Discriminator Object, and AsyncAPI 3.0, Schema Object, Composition and Inheritance
 */
export function inheritedDiscriminators(schema: Cursor): readonly InheritedDiscriminator[] {
  // Asked of every schema: the names of a deep place are not read.
  if (!/^\w+#\/[^/]*\/schemas\/[^/]*$/uy.test(schema.pointer)) return [];
  return inheritanceIn(schema.root).get(schema.pointer) ?? [];
}

/**
 * Returns the parts to add to the `allOf` of a component schema: each restricts a discriminating property that the
 * schema inherits to the values that select the schema, or one that inherits from it.
 */
export function inheritedParts(schema: Cursor): readonly JsonSchema[] {
  return inheritedDiscriminators(schema).flatMap(({ property, all }) =>
    all === undefined ? [] : [{ properties: valuesOf(property, all) }],
  );
}

/** Returns `properties` with one property that has only the given values. */
export function valuesOf(property: string, values: readonly string[]): JsonObject {
  const [only = ''] = values;
  const schema = values.length === 1 ? { const: only } : { enum: values };
  return Object.fromEntries([[property, schema]]);
}

interface Parent {
  readonly property: string;
  readonly defaultTarget: Pointer | undefined;
}

interface Heir {
  readonly at: Cursor;
  readonly name: string;
  readonly parts: readonly Cursor[];
  readonly parents: readonly Parent[];
}

const inheritanceIn = memoize(
  (root: JsonObject): ReadonlyMap<Pointer, readonly InheritedDiscriminator[]> => {
    const document = Cursor.ofDocument(root, 'asyncapi' in root ? 'asyncapi' : 'openapi');
    const components = document.entries('components', 'schemas');
    if (!components.some(([, at]) => parentOf(at) !== undefined)) return new Map();
    const heirs = new Map<Pointer, Heir>();
    for (const [name, at] of components) {
      // A reference is another name of the same schema.
      if (at.localReference !== undefined) continue;
      const parts = conjunctsAt(at);
      const parents = parts.flatMap((part) =>
        part.pointer === at.pointer ? [] : (parentOf(part) ?? []),
      );
      if (parents.length > 0) heirs.set(at.pointer, { at, name, parts, parents });
    }
    const heirsOf = new Map<Pointer, Pointer[]>();
    for (const { at, parts } of heirs.values()) {
      for (const { pointer } of parts) {
        if (pointer === at.pointer || !heirs.has(pointer)) continue;
        const parentHeirs = heirsOf.get(pointer);
        if (parentHeirs === undefined) heirsOf.set(pointer, [at.pointer]);
        else parentHeirs.push(at.pointer);
      }
    }
    const mapped = mappedValues(document);
    const valueCache = new Map<string, readonly string[] | undefined>();
    const ownValues = (heir: Heir, property: string): readonly string[] | undefined => {
      const { at, name, parts } = heir;
      const key = JSON.stringify([property, at.pointer]);
      if (!valueCache.has(key)) {
        const implicit = at.text('x-ms-discriminator-value') ?? name;
        const declared = declaredValues(parts, property);
        valueCache.set(key, selectingValues(mapped.get(key) ?? [], implicit, declared));
      }
      return valueCache.get(key);
    };
    return new Map(
      Array.from(heirs.values(), (heir) => {
        const below = heirsOf.get(heir.at.pointer) ?? [];
        const byProperty = Map.groupBy(heir.parents, ({ property }) => property);
        const inherited = Array.from(byProperty, ([property, parents]) => {
          const family = [heir, ...below.flatMap((pointer) => heirs.get(pointer) ?? [])];
          const isDefault = (pointer: Pointer): boolean =>
            parents.some(({ defaultTarget }) => defaultTarget === pointer);
          const values = family.map((member) => ownValues(member, property));
          const isOpen =
            values.includes(undefined) || family.some(({ at }) => isDefault(at.pointer));
          return {
            property,
            isDefault: isDefault(heir.at.pointer),
            selectingValues: values[0],
            all: isOpen ? undefined : [...new Set(values.flatMap((each) => each ?? []))],
            heirs: below,
          };
        });
        return [heir.at.pointer, inherited] as const;
      }),
    );
  },
);

/** Returns the discriminator of a schema without alternatives. */
function parentOf(schema: Cursor): Parent | undefined {
  const property = discriminatingProperty(schema);
  if (property === undefined || ['oneOf', 'anyOf'].some((keyword) => schema.valueIn(keyword)))
    return undefined;
  const target = mappingTarget(schema.child('discriminator', 'defaultMapping'));
  return { property, defaultTarget: target?.pointer };
}

/** Returns the values that any discriminator of a document maps to a schema, by property and pointer. */
function mappedValues(document: Cursor): ReadonlyMap<string, readonly string[]> {
  const valuesByName = new Map<string, Set<string>>();
  for (const { discriminator } of objectsIn(document.root)) {
    if (!isJsonObject(discriminator)) continue;
    const at = document.withValue(discriminator);
    const property = at.text('propertyName');
    for (const [value, { value: to }] of at.entries('mapping')) {
      const target = mappingTarget(document.withValue(to));
      if (property === undefined || target === undefined) continue;
      const key = JSON.stringify([property, target.pointer]);
      valuesByName.set(key, (valuesByName.get(key) ?? new Set()).add(value));
    }
  }
  return new Map(Array.from(valuesByName, ([key, values]) => [key, [...values]]));
}
