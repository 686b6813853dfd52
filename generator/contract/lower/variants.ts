import { diagnose } from '../../documents/diagnose.ts';
import { isJsonObject, type JsonObject, withoutMembers, optional } from '../../json/json.ts';
import { pointerMembers } from '../../json/pointer.ts';
import type { JsonSchema, Schema, Variant } from '../../schema/model.ts';
import type { Cursor } from '../../json/cursor.ts';
import { isSchema, subschemasAt, visitSchema } from '../../schema/visit.ts';
import { isNumberText, requiredButAbsent, widen, type WireNames } from '../normalization.ts';
import { readConditions } from '../../recognition/identification.ts';
import { conjunctsOf } from '../../schema/conjuncts.ts';
import { SchemaNode } from '../../schema/node.ts';
import {
  type SchemaIndex,
  referencesOf,
  resolveSchema,
  toReference,
} from '../../schema/references.ts';
import type { LoweringContext } from './lowering-context.ts';
import type { SchemaNames } from './schema-registry.ts';

/** A schema with the schemas that are derived from it by `x-variants`. */
export interface VariantSchemas {
  readonly canonical: Schema;
  /** The elements, the complete bodies and, last, the schema of every wire format. Empty without variants. */
  readonly derived: readonly Schema[];
}

/** What variants are derived from. */
interface Origins {
  readonly index: SchemaIndex;
  /** The names of the widened schemas, by the schema that contains a member with variants. */
  readonly wires: ReadonlyMap<string, SchemaNames>;
}

function namesOf({ index, wires }: Origins): WireNames {
  return {
    wireOf: (name) => wires.get(name)?.name,
    isNumberText: (name) => isNumberText(index.get(name)?.definition),
  };
}

/** Claims the names of the schema that accepts the variants of members, for a schema that contains such members. */
export function claimWidened(
  { typeName }: Schema,
  at: Cursor,
  context: LoweringContext,
): SchemaNames {
  const hasForms = formsAt(at).length > 0;
  return context.schemas.claimDerived(
    `${typeName} ${hasForms ? 'Canonical Wire' : 'Wire'}`,
    at.pointer,
  );
}

/** Returns the entries of `x-variants` that describe another wire format of the whole value. */
function formsAt(at: Cursor): readonly (readonly [string, Cursor])[] {
  return at.entries('x-variants').filter(([, variant]) => !isOfMember(variant));
}

/** Returns whether an entry of `x-variants` describes another value of a property. */
function isOfMember(variant: Cursor): boolean {
  return variant.valueIn('schema') !== undefined;
}

/** Derives the wire schemas from the `x-variants` of a schema and of its members. */
export function deriveVariants(
  schema: Schema,
  at: Cursor,
  origins: Origins,
  context: LoweringContext,
): VariantSchemas {
  diagnoseMembers(schema, at, origins, context);
  const forms = formsAt(at).flatMap(
    ([name, form]) => deriveForm(schema, name, form, origins, context) ?? [],
  );
  const canonical = { ...schema, variants: forms.map(({ variant }) => variant) };
  const widened = widenSchema(schema, origins, forms.length > 0 ? 'variant' : 'wire');
  if (forms.length === 0) return { canonical, derived: widened };
  const names = context.schemas.claimDerived(`${schema.typeName} Wire`, at.pointer);
  const canonicalName = widened[0]?.name ?? schema.name;
  const wire = toDerived(schema, names, 'wire', {
    description: `Every wire format of ${schema.name}.`,
    oneOf: [canonicalName, ...forms.map(({ variant }) => variant.schema)].map(toReference),
  });
  return { canonical, derived: [...widened, ...forms.flatMap(({ schemas }) => schemas), wire] };
}

/** Returns the schema that accepts the variants of members, where the given schema contains such members. */
function widenSchema(
  schema: Schema,
  origins: Origins,
  origin: 'variant' | 'wire',
): readonly Schema[] {
  const names = origins.wires.get(schema.name);
  const wide = widen(schema.definition, namesOf(origins));
  if (names === undefined || !isJsonObject(wide)) return [];
  const rest = withoutMembers(wide, 'x-variants', 'x-unstated', 'x-note', 'examples');
  const description = `The wire format of ${schema.name}.`;
  return [toDerived(schema, names, origin, { ...rest, description })];
}

/** Reports variants of members that have no effect or contradict the schema. */
function diagnoseMembers(
  schema: Schema,
  at: Cursor,
  { index, wires }: Origins,
  { documents, diagnostics }: LoweringContext,
): void {
  const report = ({ pointer }: Cursor, message: string): void => {
    diagnostics.push(diagnose(documents, 'invalid-variant', { pointer, message }));
  };
  const visit = (place: Cursor, isRoot: boolean, isProperty: boolean, isReached: boolean): void => {
    for (const [, variant] of place.entries('x-variants')) {
      if (variant.text('as') === 'number') {
        const { types = [] } = new SchemaNode(isSchema(place.value) ? place.value : true);
        if (!types.some((type) => type === 'number' || type === 'integer'))
          report(variant, 'A variant with "as: number" must be on a schema of the type number.');
        if (!isRoot && !isReached)
          report(
            variant,
            'A variant with "as: number" must be on a schema that only properties, items and allOf lead to.',
          );
        continue;
      }
      if (isOfMember(variant) && !(isProperty && isReached))
        report(
          variant,
          'A variant with "schema" must be on a property, which only properties, items and allOf lead to.',
        );
      if (!isOfMember(variant) && !isRoot)
        report(variant, 'A variant with "when" must be on the schema of a whole payload.');
    }
    for (const sub of subschemasAt(place)) {
      const [keyword = ''] = pointerMembers(sub.pointer.slice(place.pointer.length));
      const isFollowed = ['properties', 'items', 'allOf'].includes(keyword);
      visit(sub, false, keyword === 'properties', isReached && isFollowed);
    }
  };
  let hasVariants = false;
  visitSchema(isSchema(at.value) ? at.value : true, ({ 'x-variants': variants }) => {
    hasVariants ||= variants !== undefined;
  });
  // Cursors to each subschema cost much more than this search, and most contracts have no variants.
  if (hasVariants) visit(at, true, false, true);
  // Most contracts have no member with variants, and a schema can have as many parts as the contract has schemas.
  if (wires.size === 0) return;
  for (const name of requiredButAbsent(schema.definition, index))
    report(
      at,
      `The member "${name}" of ${schema.name} is required, but one of its variants makes it absent.`,
    );
}

interface DerivedForm {
  readonly variant: Variant;
  readonly schemas: readonly Schema[];
}

function deriveForm(
  schema: Schema,
  name: string,
  at: Cursor,
  origins: Origins,
  context: LoweringContext,
): DerivedForm | undefined {
  const each = at.text('each');
  const as = at.text('as');
  const rename = Object.fromEntries(
    at.entries('rename').flatMap(([alias, canonical]) => {
      const target = canonical.text();
      return target === undefined ? [] : [[alias, target] as const];
    }),
  );
  const object = schemaAt(schema.definition, as ?? '', origins.index);
  const problem =
    object === undefined
      ? `The schema ${schema.name} has no object at "${as ?? ''}".`
      : problemOfRenaming(object, rename, origins.index);
  if (object === undefined || problem !== undefined) {
    const { documents, diagnostics } = context;
    const { pointer } = at;
    diagnostics.push(diagnose(documents, 'invalid-variant', { pointer, message: problem ?? '' }));
    return undefined;
  }
  const element = inlineParts(object, new Set(Object.values(rename)), origins.index);
  const wide = widen(element, namesOf(origins));
  const renamed = renameMembers(isJsonObject(wide) ? wide : element, rename);
  const bodyNames = context.schemas.claimDerived(`${schema.typeName} ${name}`, at.pointer);
  const base = { ...schema, pointer: at.pointer, ...at.annotations() };
  const variant: Variant = {
    kind: 'variant',
    pointer: at.pointer,
    ...at.annotations(),
    name,
    schema: bodyNames.name,
    when: readConditions(at.child('when'), context.schemas.conditionReading),
    ...optional('each', each),
    ...optional('as', as),
    rename,
  };
  const description = `The wire variant "${name}" of ${schema.name}.`;
  if (each === undefined) {
    return {
      variant,
      schemas: [toDerived(base, bodyNames, 'variant', { description, ...renamed })],
    };
  }
  const itemNames = context.schemas.claimDerived(`${bodyNames.typeName} Item`, at.pointer);
  const item = toDerived(base, itemNames, 'variant', {
    description: `One element of the wire variant "${name}" of ${schema.name}.`,
    ...renamed,
  });
  const body = toDerived(base, bodyNames, 'variant', {
    description,
    ...wrapAt(pointerMembers(each), { type: 'array', items: toReference(item.name) }),
  });
  return { variant, schemas: [item, body] };
}

function toDerived(
  of: Schema,
  names: SchemaNames,
  origin: 'variant' | 'wire',
  schema: JsonObject,
): Schema {
  const definition = of.source.length === 0 ? schema : { ...schema, 'x-source': [...of.source] };
  return {
    kind: 'schema',
    pointer: of.pointer,
    source: of.source,
    ...names,
    ...optional(
      'description',
      typeof schema['description'] === 'string' ? schema['description'] : undefined,
    ),
    deprecated: of.deprecated,
    origin,
    variantOf: of.name,
    definition,
    references: referencesOf(definition),
    variants: [],
    examples: [],
  };
}

/**
 * Returns the object schema at a JSON Pointer of the value, with references followed; `undefined` where there is none.
 */
function schemaAt(schema: JsonSchema, pointer: string, index: SchemaIndex): JsonObject | undefined {
  let here = resolveSchema(index, schema) ?? false;
  for (const member of pointerMembers(pointer)) {
    const parts = conjunctsOf([here], index);
    const property = parts.map((part) => part.property(member)).find((sub) => sub !== undefined);
    here = resolveSchema(index, property) ?? false;
  }
  const hasProperties = conjunctsOf([here], index).some((part) => part.has('properties'));
  return hasProperties ? new SchemaNode(here).keywords : undefined;
}

function problemOfRenaming(
  element: JsonObject,
  rename: Readonly<Record<string, string>>,
  index: SchemaIndex,
): string | undefined {
  const properties = new Set(
    conjunctsOf([element], index).flatMap((node) => node.properties.map(([name]) => name)),
  );
  const targets = Object.values(rename);
  const missing = targets.find((target) => !properties.has(target));
  if (missing !== undefined)
    return `"rename" maps to "${missing}", which is not a property of the schema.`;
  const twice = targets.find((target, index) => targets.indexOf(target) !== index);
  if (twice !== undefined) return `"rename" gives two names to "${twice}".`;
  const shadowed = Object.keys(rename).find(
    (alias) => properties.has(alias) && !targets.includes(alias),
  );
  if (shadowed !== undefined) return `"rename" uses "${shadowed}", which is another property.`;
  return undefined;
}

/**
 * Returns the schema with those parts of its `allOf` written out that have one of the members. A reference would apply
 * the names of the canonical format.
 */
function inlineParts(
  schema: JsonObject,
  members: ReadonlySet<string>,
  index: SchemaIndex,
  outer: ReadonlySet<JsonObject> = new Set(),
): JsonObject {
  const { allOf } = new SchemaNode(schema);
  const hasMember = ({ properties, required }: SchemaNode): boolean =>
    [...properties.map(([name]) => name), ...required].some((name) => members.has(name));
  if (!conjunctsOf(allOf, index).some(hasMember)) return schema;
  const seen = new Set([...outer, schema]);
  return {
    ...schema,
    allOf: allOf.map((part) => {
      const target = resolveSchema(index, part);
      // A schema that is a part of itself adds nothing.
      if (!isJsonObject(target) || seen.has(target)) return part;
      return conjunctsOf([target], index).some(hasMember)
        ? inlineParts(target, members, index, seen)
        : part;
    }),
  };
}

/**
 * Returns the schema with properties renamed to their aliases, also in the parts of `allOf`. It rejects a value that has
 * a property under both names, because such a value is ambiguous.
 */
function renameMembers(element: JsonObject, rename: Readonly<Record<string, string>>): JsonObject {
  const aliases = new Map(Object.entries(rename).map(([alias, name]) => [name, alias]));
  const both = Object.entries(rename).map(([alias, name]) => ({ required: [alias, name] }));
  return {
    ...toAliases(element, (name) => aliases.get(name) ?? name),
    ...(both.length > 0 ? { not: { anyOf: both } } : {}),
  };
}

function toAliases(element: JsonObject, toAlias: (name: string) => string): JsonObject {
  const { properties, required, allOf } = new SchemaNode(element);
  return {
    ...withoutMembers(element, 'description', 'title', 'x-note', 'examples'),
    ...(properties.length > 0
      ? { properties: Object.fromEntries(properties.map(([name, sub]) => [toAlias(name), sub])) }
      : {}),
    ...(required.length > 0 ? { required: required.map(toAlias) } : {}),
    ...(allOf.length > 0
      ? { allOf: allOf.map((part) => (isJsonObject(part) ? toAliases(part, toAlias) : part)) }
      : {}),
  };
}

function wrapAt(members: readonly string[], schema: JsonObject): JsonObject {
  return members.reduceRight<JsonObject>(
    (inner, member) => ({
      type: 'object',
      properties: Object.fromEntries([[member, inner]]),
      required: [member],
    }),
    schema,
  );
}
