import { createDiagnostic } from '../../diagnostics/diagnostic.ts';
import type { JsonObject } from '../../json/json.ts';
import { pointerMembers } from '../../json/pointer.ts';
import type { JsonSchema, Schema, Variant } from '../../schema/model.ts';
import { type Cursor, child, entries, optional, sourceOf, text } from '../../json/cursor.ts';
import { readConditions } from './identification.ts';
import { SchemaNode } from '../../schema/node.ts';
import {
  type SchemaIndex,
  referencesOf,
  resolveSchema,
  toReference,
} from '../../schema/references.ts';
import type { LoweringContext } from './lowering-context.ts';

/** A schema that declares `x-variants`, with the schemas that are derived from it. */
export interface VariantSchemas {
  readonly canonical: Schema;
  /** The elements, the complete bodies and, last, the union of all wire variants. */
  readonly derived: readonly Schema[];
}

/** Derives the wire variants of a schema from its `x-variants`. Returns `undefined` where there are no valid ones. */
export function deriveVariants(
  schema: Schema,
  at: Cursor,
  index: SchemaIndex,
  context: LoweringContext,
): VariantSchemas | undefined {
  const declared = entries(child(at, 'x-variants'));
  if (declared.length === 0) return undefined;
  const forms = declared.flatMap(
    ([name, written]) => deriveForm(schema, name, written, index, context) ?? [],
  );
  if (forms.length === 0) return undefined;
  const names = context.schemas.claimDerived(`${schema.typeName} Wire`, at.pointer);
  const wire = toDerived(schema, names, 'wire', {
    description: `Every form in which ${schema.name} travels.`,
    oneOf: [schema.name, ...forms.map(({ variant }) => variant.schema)].map(toReference),
  });
  return {
    canonical: { ...schema, variants: forms.map(({ variant }) => variant) },
    derived: [...forms.flatMap(({ schemas }) => schemas), wire],
  };
}

interface DerivedForm {
  readonly variant: Variant;
  readonly schemas: readonly Schema[];
}

function deriveForm(
  schema: Schema,
  name: string,
  at: Cursor,
  index: SchemaIndex,
  context: LoweringContext,
): DerivedForm | undefined {
  const each = text(child(at, 'each'));
  const as = text(child(at, 'as'));
  const rename = Object.fromEntries(
    entries(child(at, 'rename')).flatMap(([alias, canonical]) => {
      const target = text(canonical);
      return target === undefined ? [] : [[alias, target] as const];
    }),
  );
  const element = schemaAt(schema.definition, as ?? '', index);
  const problem =
    element === undefined
      ? `The schema ${schema.name} has no object at "${as ?? ''}".`
      : problemOfRenaming(element, rename);
  if (element === undefined || problem !== undefined) {
    const { documents, diagnostics } = context;
    diagnostics.push(
      createDiagnostic('invalid-variant', problem ?? '', documents.locate(at.pointer), {
        pointer: at.pointer,
      }),
    );
    return undefined;
  }
  const renamed = renameMembers(element, rename);
  const bodyNames = context.schemas.claimDerived(`${schema.typeName} ${name}`, at.pointer);
  const base = { ...schema, pointer: at.pointer, source: sourceOf(at) };
  const variant: Variant = {
    kind: 'variant',
    pointer: at.pointer,
    source: sourceOf(at),
    name,
    schema: bodyNames.name,
    when: readConditions(child(at, 'when')),
    ...optional('each', each),
    ...optional('as', as),
    rename,
  };
  const description = `The form "${name}" of ${schema.name}.`;
  if (each === undefined) {
    return {
      variant,
      schemas: [toDerived(base, bodyNames, 'variant', { description, ...renamed })],
    };
  }
  const itemNames = context.schemas.claimDerived(`${bodyNames.typeName} Item`, at.pointer);
  const item = toDerived(base, itemNames, 'variant', {
    description: `One element of the form "${name}" of ${schema.name}.`,
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
  names: Pick<Schema, 'name' | 'typeName' | 'fileName'>,
  origin: 'variant' | 'wire',
  written: JsonObject,
): Schema {
  const definition = of.source.length === 0 ? written : { ...written, 'x-source': [...of.source] };
  return {
    kind: 'schema',
    pointer: of.pointer,
    source: of.source,
    ...names,
    ...optional(
      'description',
      typeof written['description'] === 'string' ? written['description'] : undefined,
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
  let here = new SchemaNode(resolveSchema(index, schema) ?? false);
  for (const member of pointerMembers(pointer)) {
    here = new SchemaNode(resolveSchema(index, here.property(member)) ?? false);
  }
  return here.has('properties') ? here.keywords : undefined;
}

function problemOfRenaming(
  element: JsonObject,
  rename: Readonly<Record<string, string>>,
): string | undefined {
  const properties = new Map(new SchemaNode(element).properties);
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
 * Returns the schema with properties renamed to their aliases. It rejects a value that has a property under both names,
 * because such a value is ambiguous.
 */
function renameMembers(element: JsonObject, rename: Readonly<Record<string, string>>): JsonObject {
  const aliases = new Map(Object.entries(rename).map(([alias, name]) => [name, alias]));
  const toAlias = (name: string): string => aliases.get(name) ?? name;
  const { properties, required } = new SchemaNode(element);
  const both = Object.entries(rename).map(([alias, name]) => ({ required: [alias, name] }));
  const { description: _canonical, title: _title, examples: _examples, ...rest } = element;
  return {
    ...rest,
    properties: Object.fromEntries(properties.map(([name, sub]) => [toAlias(name), sub])),
    ...(required.length > 0 ? { required: required.map(toAlias) } : {}),
    ...(both.length > 0 ? { not: { anyOf: both } } : {}),
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
