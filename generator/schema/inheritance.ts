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
import { unwrapSchema } from '../specification/multi-format-schema.ts';
import { conjunctsAt, conjunctsUntil } from './visit.ts';

/** The discriminating property that a schema inherits by `allOf`, and its values. */
export interface InheritedDiscriminator {
  readonly property: string;
  /** Whether names of schemas are its values, by AsyncAPI. */
  readonly isOfName: boolean;
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
 * A component schema of AsyncAPI with heirs. The value of a property decides which of them, or the schema itself, a value
 * has to match.
 */
export interface Family {
  readonly property: string;
  /** The values that select the schema itself. */
  readonly own: readonly string[];
  /** The schemas that directly inherit from it, with the values that lead to them. */
  readonly heirs: readonly { readonly at: Cursor; readonly values: readonly string[] }[];
}

/**
 * Returns the family of a component schema. OpenAPI has none: validation with the parent does not search for heirs there.
 * @see AsyncAPI 3.0, Schema Object, Models with Polymorphism Support, and OpenAPI 3.1.1, 4.8.25
 */
export function familyOf(schema: Cursor): Family | undefined {
  return schema.pointer.startsWith('asyncapi#/components/schemas/')
    ? inheritanceIn(schema.root).families.get(schema.pointer)
    : undefined;
}

/**
 * Returns the discriminators that a component schema inherits from a parent, which it refers to in `allOf`. A parent
 * has a `discriminator` and no alternatives.
 * @see OpenAPI 3.1, 4.8.25 Discriminator Object, and AsyncAPI 3.0, Schema Object, Composition and Inheritance
 */
export function inheritedDiscriminators(schema: Cursor): readonly InheritedDiscriminator[] {
  // Asked of every schema: the names of a deep place are not read.
  if (!/^\w+#\/[^/]*\/schemas\/[^/]*(?:\/schema)?$/uy.test(schema.pointer)) return [];
  return inheritanceIn(schema.root).inherited.get(schema.pointer) ?? [];
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
  const [only] = values;
  const schema =
    only === undefined ? false : values.length === 1 ? { const: only } : { enum: values };
  return Object.fromEntries([[property, schema]]);
}

interface Inheritance {
  readonly inherited: ReadonlyMap<Pointer, readonly InheritedDiscriminator[]>;
  readonly families: ReadonlyMap<Pointer, Family>;
}

interface Parent {
  readonly property: string;
  /** Whether names of schemas are its values, by AsyncAPI. */
  readonly isOfName: boolean;
  readonly defaultTarget: Pointer | undefined;
}

interface Heir {
  readonly at: Cursor;
  /** The schema in a Multi Format Schema Object; `at` in any other case. */
  readonly schema: Cursor;
  readonly name: string;
  readonly parts: readonly Cursor[];
  readonly parents: readonly Parent[];
}

const inheritanceIn = memoize((root: JsonObject): Inheritance => {
  const document = Cursor.ofDocument(root, 'asyncapi' in root ? 'asyncapi' : 'openapi');
  const components = document
    .entries('components', 'schemas')
    .map(([name, at]) => ({ name, at, schema: unwrapSchema(at) }));
  if (!components.some(({ schema }) => parentOf(schema) !== undefined))
    return { inherited: new Map(), families: new Map() };
  const heirs = new Map<Pointer, Heir>();
  for (const { name, at, schema } of components) {
    // A reference is another name of the same schema.
    if (at.localReference !== undefined) continue;
    const parts = conjunctsAt(at);
    const parents = parts.flatMap((part) => {
      const parent = parentOf(part);
      // In AsyncAPI, a parent is one of the schemas that its discriminator selects.
      return parent === undefined || (part.pointer === schema.pointer && !parent.isOfName)
        ? []
        : [parent];
    });
    if (parents.length > 0) heirs.set(at.pointer, { at, schema, name, parts, parents });
  }
  const heirsOf = new Map<Pointer, Pointer[]>();
  for (const { at, parts } of heirs.values()) {
    for (const pointer of new Set(parts.map(placeOf))) {
      if (pointer === at.pointer || !heirs.has(pointer)) continue;
      const parentHeirs = heirsOf.get(pointer);
      if (parentHeirs === undefined) heirsOf.set(pointer, [at.pointer]);
      else parentHeirs.push(at.pointer);
    }
  }
  for (const [pointer, { schema, parents }] of heirs) {
    // A parent without heirs: nothing says which values it has.
    if (parents.length === 1 && parentOf(schema) !== undefined && !heirsOf.has(pointer))
      heirs.delete(pointer);
  }
  const mapped = mappedValues(document);
  const valueCache = new Map<string, readonly string[] | undefined>();
  const ownValues = (heir: Heir, property: string): readonly string[] | undefined => {
    const { at, schema, name, parts } = heir;
    const key = JSON.stringify([property, at.pointer]);
    if (!valueCache.has(key)) {
      const implicit = schema.text('x-ms-discriminator-value') ?? name;
      const declared = declaredValues(parts, property);
      const values = selectingValues(mapped.get(key) ?? [], implicit, declared);
      // What a parent lists and no heir has selects the parent.
      const isParent = Array.isArray(declared) && parentOf(schema)?.isOfName === true;
      const ofHeirs = isParent
        ? (heirsOf.get(at.pointer) ?? []).flatMap((pointer) => {
            const lower = heirs.get(pointer);
            return lower === undefined ? [] : (ownValues(lower, property) ?? []);
          })
        : [];
      valueCache.set(key, isParent ? declared.filter((value) => !ofHeirs.includes(value)) : values);
    }
    return valueCache.get(key);
  };
  const inherited = new Map(
    Array.from(heirs.values(), (heir) => {
      const below = heirsOf.get(heir.at.pointer) ?? [];
      const byProperty = Map.groupBy(heir.parents, ({ property }) => property);
      const discriminators = Array.from(byProperty, ([property, parents]) => {
        const family = [heir, ...below.flatMap((pointer) => heirs.get(pointer) ?? [])];
        const isDefault = (pointer: Pointer): boolean =>
          parents.some(({ defaultTarget }) => defaultTarget === pointer);
        const values = family.map((member) => ownValues(member, property));
        const isOpen = values.includes(undefined) || family.some(({ at }) => isDefault(at.pointer));
        return {
          property,
          isOfName: parents.some(({ isOfName }) => isOfName),
          isDefault: isDefault(heir.at.pointer),
          selectingValues: values[0],
          all: isOpen ? undefined : [...new Set(values.flatMap((each) => each ?? []))],
          heirs: below,
        };
      });
      return [heir.at.pointer, discriminators] as const;
    }),
  );
  const families = familiesOf(heirs, inherited, ownValues);
  for (const { at, schema } of heirs.values())
    inherited.set(schema.pointer, inherited.get(at.pointer) ?? []);
  return { inherited, families };
});

/**
 * Returns the families of an AsyncAPI document, by the place of the schema that the others inherit from. A schema whose
 * value does not decide, because two schemas have the same, or because the value can be missing, has none.
 */
function familiesOf(
  heirs: ReadonlyMap<Pointer, Heir>,
  inherited: Inheritance['inherited'],
  ownValues: (heir: Heir, property: string) => readonly string[] | undefined,
): ReadonlyMap<Pointer, Family> {
  const directHeirs = new Map<Pointer, Cursor[]>();
  for (const { at } of heirs.values()) {
    const parts = conjunctsUntil(at, (part) => {
      const place = placeOf(part);
      return place !== at.pointer && heirs.has(place);
    });
    for (const pointer of new Set(parts.map(placeOf))) {
      if (pointer === at.pointer || !heirs.has(pointer)) continue;
      const siblings = directHeirs.get(pointer);
      if (siblings === undefined) directHeirs.set(pointer, [at]);
      else siblings.push(at);
    }
  }
  const families = new Map<Pointer, Family>();
  for (const [pointer, direct] of directHeirs) {
    const heir = heirs.get(pointer);
    const discriminator = inherited.get(pointer)?.find(({ isOfName }) => isOfName);
    if (heir === undefined || discriminator?.all === undefined) continue;
    const { property, all, selectingValues: own = [], heirs: below } = discriminator;
    const isRequired = heir.parts.some((part) => part.texts('required').includes(property));
    const sizes = below.map((each) => {
      const lower = heirs.get(each);
      return lower === undefined ? 0 : (ownValues(lower, property)?.length ?? 0);
    });
    if (!isRequired || sizes.reduce((sum, size) => sum + size, own.length) > all.length) continue;
    const left = new Set(all.filter((value) => !own.includes(value)));
    const members = direct.map((at) => {
      const values = inherited.get(at.pointer)?.find((each) => each.property === property)?.all;
      return { at, values: values?.filter((value) => left.delete(value)) ?? [] };
    });
    families.set(pointer, {
      property,
      own,
      heirs: members.filter(({ values }) => values.length > 0),
    });
  }
  return families;
}

/** Returns the place of a schema; that of the Multi Format Schema Object for the schema in one. */
function placeOf({ pointer }: Cursor): Pointer {
  return pointer.replace(/^(asyncapi#\/components\/schemas\/[^/]*)\/schema$/u, '$1') as Pointer;
}

/** Returns the discriminator of a schema without alternatives. */
function parentOf(schema: Cursor): Parent | undefined {
  const property = discriminatingProperty(schema);
  if (property === undefined || ['oneOf', 'anyOf'].some((keyword) => schema.valueIn(keyword)))
    return undefined;
  const target = mappingTarget(schema.child('discriminator', 'defaultMapping'));
  const isOfName = schema.text('discriminator') === property;
  return { property, isOfName, defaultTarget: target?.pointer };
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
