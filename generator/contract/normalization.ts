import { isJsonObject, type Json, type JsonObject, withoutMembers } from '../json/json.ts';
import type { JsonSchema, Schema } from '../schema/model.ts';
import { conjunctsOf, memberSchemas } from '../schema/conjuncts.ts';
import { NodeGroups } from '../schema/node-groups.ts';
import { SchemaNode } from '../schema/node.ts';
import { type SchemaIndex, toReference } from '../schema/references.ts';
import { isSchema, mapSubschemas } from '../schema/visit.ts';
import type { AbsentValue } from './vocabulary/types.ts';

/**
 * The values that have another form on the wire at one location of a value. The locations of a schema are a list, because
 * a schema can contain itself; the first is the whole value.
 */
export type NormalizationNode = {
  /** Members that are missing where they have one of the values. */
  readonly values: readonly (readonly [member: string, values: readonly AbsentValue[]])[];
  /** Members to look into, with the index of their node. */
  readonly members: readonly (readonly [member: string, node: number])[];
  /** The index of the node for elements of an array. */
  readonly items?: number;
  /** Whether the value is a number that can be written as a text. */
  readonly number?: true;
};

/** The text of a number, in the wire format: decimal digits, with a full stop before a fraction. */
const numberText: JsonObject = { type: 'string', pattern: '^-?[0-9]+([.][0-9]+)?$' };

/** Returns whether `x-variants` of a schema accepts texts in the place of its numbers. */
export function isNumberText(schema: JsonSchema | undefined): boolean {
  const variants = new SchemaNode(schema ?? true).keywords['x-variants'];
  return (
    isJsonObject(variants) &&
    Object.values(variants).some((variant) => isJsonObject(variant) && variant['as'] === 'number')
  );
}

/** The maximum nesting of alternatives in which a number is searched. */
const maxAlternatives = 4;

/** Returns whether one of several schemas, or an alternative of one, accepts texts in the place of its numbers. */
function leadsToNumberText(parts: readonly SchemaNode[], index: SchemaIndex): boolean {
  const read = new Set<JsonSchema>();
  let level = parts;
  for (let nesting = 0; level.length > 0; nesting += 1) {
    if (level.some(({ keywords }) => isNumberText(keywords))) return true;
    if (nesting === maxAlternatives) return false;
    for (const { keywords } of level) read.add(keywords);
    const alternatives = level.flatMap(({ anyOf, oneOf }) => [...anyOf, ...oneOf]);
    // Several alternatives can refer to the same schema.
    level = conjunctsOf(alternatives, index).filter(({ keywords }) => !read.has(keywords));
  }
  return false;
}

/**
 * Returns the values that `x-variants` of a property's schema replaces by a missing member, or an empty list.
 */
export function absentValuesOf(property: JsonSchema): readonly AbsentValue[] {
  const variants = new SchemaNode(property).keywords['x-variants'];
  if (!isJsonObject(variants)) return [];
  return Object.values(variants).flatMap((variant) => {
    if (!isJsonObject(variant) || variant['as'] !== 'absent') return [];
    const { schema } = variant;
    return isSchema(schema) ? valuesOf(schema) : [];
  });
}

function valuesOf(schema: JsonSchema): readonly AbsentValue[] {
  const { types, values } = new SchemaNode(schema);
  if (values === undefined) return types?.join() === 'null' ? [null] : [];
  return values.filter(isAbsentValue);
}

function isAbsentValue(value: Json): value is AbsentValue {
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

/**
 * Returns where members of a value can be absent, or numbers be texts; an empty list where none can. Follows what `widen`
 * follows.
 */
export function normalizationNodesOf(
  schema: JsonSchema,
  index: SchemaIndex,
): readonly NormalizationNode[] {
  const groups = new NodeGroups();
  const nodeOf = (parts: readonly JsonSchema[]): number =>
    groups.numberOf(conjunctsOf(parts, index));
  nodeOf([schema]);
  const nodes: NormalizationNode[] = [];
  for (const conjuncts of groups) {
    const members = Array.from(memberSchemas(conjuncts), ([name, schemas]) => {
      return { name, schemas, values: [...new Set(schemas.flatMap(absentValuesOf))] };
    });
    const items = present(conjuncts.map((node) => node.schema('items')));
    nodes.push({
      values: members.flatMap(({ name, values }) =>
        values.length === 0 ? [] : [[name, values] as const],
      ),
      members: members.map(({ name, schemas }) => [name, nodeOf(schemas)] as const),
      ...(items.length === 0 ? {} : { items: nodeOf(items) }),
      ...(leadsToNumberText(conjuncts, index) ? { number: true } : {}),
    });
  }
  return withoutIdle(nodes);
}

function present(schemas: readonly (JsonSchema | undefined)[]): readonly JsonSchema[] {
  return schemas.filter((schema) => schema !== undefined);
}

/** Returns the names of members that are required but can be absent, in a schema and the parts of its `allOf`. */
export function requiredButAbsent(schema: JsonSchema, index: SchemaIndex): readonly string[] {
  const conjuncts = conjunctsOf([schema], index);
  const required = new Set(conjuncts.flatMap((node) => node.required));
  const members = memberSchemas(conjuncts);
  return [...required].filter((name) =>
    members.get(name)?.some((schema) => absentValuesOf(schema).length > 0),
  );
}

/** Removes the nodes below which no member can be absent, and no number be a text. */
function withoutIdle(nodes: readonly NormalizationNode[]): readonly NormalizationNode[] {
  const useful = new Set<number>();
  for (let size = -1; size < useful.size;) {
    size = useful.size;
    for (const [at, { values, members, items, number }] of [...nodes.entries()].toReversed()) {
      const isUseful = members.some(([, node]) => useful.has(node)) || useful.has(items ?? -1);
      if (values.length > 0 || number === true || isUseful) useful.add(at);
    }
  }
  const shared = sharedLeaves(nodes);
  const kept = nodes.flatMap((_, at) => (useful.has(at) && shared[at] === at ? [at] : []));
  const moved = new Map(kept.map((at, index) => [at, index]));
  return kept[0] !== 0
    ? []
    : kept.flatMap((at) => {
        const { values = [], members = [], items = -1, number } = nodes[at] ?? {};
        const element = moved.get(shared[items] ?? items);
        return {
          values,
          members: members.flatMap(([name, node]) => {
            const target = moved.get(shared[node] ?? node);
            return target === undefined ? [] : [[name, target] as const];
          }),
          ...(element === undefined ? {} : { items: element }),
          ...(number === undefined ? {} : { number }),
        };
      });
}

/** Returns, for each node, the index of the first node that is equal to it, if nothing follows it. */
function sharedLeaves(nodes: readonly NormalizationNode[]): readonly number[] {
  const leaves = new Map<string, number>();
  return nodes.map(({ values, members, items, number }, at) => {
    if (members.length > 0 || items !== undefined) return at;
    const key = JSON.stringify([values, number]);
    const first = leaves.get(key) ?? at;
    leaves.set(key, first);
    return first;
  });
}

/** The names of the schemas that are widened. */
export interface WireNames {
  /** Returns the name of the wire schema of a schema; `undefined` for one that has none. */
  readonly wireOf: (name: string) => string | undefined;
  /** Returns whether a schema accepts texts in the place of its numbers. */
  readonly isNumberText: (name: string) => boolean;
}

/**
 * Returns the wire schema: members that can be absent also accept the values that stand for that, and numbers that can
 * be texts also accept those. Follows properties, items, `allOf`, references to schemas that have a wire schema, and
 * alternatives that refer to a number. Returns the same object where nothing changes.
 */
export function widen(schema: JsonSchema, names: WireNames): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const changed = mapSubschemas(schema, (sub, keyword) => {
    if (keyword === 'anyOf' || keyword === 'oneOf') {
      const { reference } = new SchemaNode(sub);
      const isNumber = reference !== undefined && names.isNumberText(reference);
      return isNumber || isNumberText(sub) ? widen(sub, names) : sub;
    }
    if (keyword !== 'properties' && keyword !== 'items' && keyword !== 'allOf') return sub;
    const wide = widen(sub, names);
    const values = keyword === 'properties' ? absentValuesOf(sub) : [];
    return values.length > 0 && isJsonObject(wide) ? orValues(wide, values) : wide;
  });
  const { reference } = new SchemaNode(schema);
  const wire = reference === undefined ? undefined : names.wireOf(reference);
  const named = wire === undefined ? changed : { ...changed, ...toReference(wire) };
  return isNumberText(schema) ? orOther(named, numberText) : named;
}

function orValues(schema: JsonObject, values: readonly AbsentValue[]): JsonObject {
  const isNull = values.every((value) => value === null);
  return orOther(schema, isNull ? { type: 'null' } : { enum: [...values] });
}

/** Returns a schema that accepts what either schema accepts, with the annotations of the first. */
function orOther(schema: JsonObject, other: JsonObject): JsonObject {
  const about = ['description', 'x-source', 'x-note', 'x-unstated'];
  const kept = about.filter((keyword) => schema[keyword] !== undefined);
  return {
    ...Object.fromEntries(kept.map((keyword) => [keyword, schema[keyword]])),
    anyOf: [withoutMembers(schema, 'x-variants', ...about), other],
  };
}

/** Returns the names of schemas that `widen` changes, because of a member that can be absent or a number. */
export function widenedSchemas(schemas: readonly Schema[]): ReadonlySet<string> {
  const widened = new Set<string>();
  const numbers = new Set(
    schemas.flatMap(({ name, definition }) => (isNumberText(definition) ? [name] : [])),
  );
  const names: WireNames = {
    wireOf: (name) => (widened.has(name) ? name : undefined),
    isNumberText: (name) => numbers.has(name),
  };
  for (let size = -1; size < widened.size;) {
    size = widened.size;
    for (const { name, definition } of schemas)
      if (widen(definition, names) !== definition) widened.add(name);
  }
  return widened;
}
