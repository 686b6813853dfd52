import { memoize } from '../execution/memoize.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { escapeMember, unescapeMember } from '../json/pointer.ts';
import type { JsonSchema, Schema, WithSchemas } from './model.ts';
import { mapSchema, visitSchema } from './visit.ts';

/** The schemas of a contract by name. */
export type SchemaIndex = ReadonlyMap<string, Schema>;

/** Indexes the schemas of a contract by name, in their order. */
export function indexSchemas({ schemas }: WithSchemas): SchemaIndex {
  return indexOf(schemas);
}

const indexOf = memoize(
  (schemas: readonly Schema[]): SchemaIndex =>
    new Map(schemas.map((schema) => [schema.name, schema])),
);

/** Returns a reference to a schema of the contract by its name. */
export function toReference(name: string): { readonly $ref: string } {
  return { $ref: `${prefix}${escapeMember(name)}` };
}

/** Returns the name of the schema that a normalized schema refers to; `undefined` where it has no `$ref`. */
export function referenceOf(schema: JsonSchema | undefined): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { $ref } = schema;
  return typeof $ref === 'string' ? unescapeMember($ref.slice(prefix.length)) : undefined;
}

const prefix = '#/$defs/';

/** Returns the names of the schemas that a normalized schema refers to, each once, in order of appearance. */
export function referencesOf(schema: JsonSchema): readonly string[] {
  const names = new Set<string>();
  visitSchema(schema, (sub) => {
    const name = referenceOf(sub);
    if (name !== undefined) names.add(name);
  });
  return [...names];
}

/** Replaces every reference in a normalized schema, at any depth, by another schema with the keywords beside it. */
export function mapReferences(
  schema: JsonSchema,
  change: (name: string, beside: JsonObject) => JsonSchema,
): JsonSchema {
  return mapSchema(schema, (sub) => {
    const name = referenceOf(sub);
    if (name === undefined) return sub;
    const { $ref: _, ...beside } = sub;
    return change(name, beside);
  });
}

/**
 * Returns the names of all schemas that a schema refers to, directly or not, depth first. The first name is its own.
 * @throws TypeError for a name that the contract does not have
 */
export function reachableFrom(index: SchemaIndex, name: string): readonly string[] {
  const seen = new Set<string>();
  const stack = [name];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    stack.push(...findSchema(index, next).references.toReversed());
  }
  return [...seen];
}

/**
 * Returns the schema with a name.
 * @throws TypeError for a name that the contract does not have
 */
export function findSchema(index: SchemaIndex, name: string): Schema {
  const schema = index.get(name);
  if (schema === undefined) throw new TypeError(`The contract has no schema "${name}".`);
  return schema;
}

/**
 * Returns the schema that a chain of references leads to. Keywords beside a reference are ignored. Returns `undefined`
 * for a circular chain, and for the name of no schema.
 */
export function resolveSchema(
  index: SchemaIndex,
  schema: JsonSchema | undefined,
): JsonSchema | undefined {
  const seen = new Set<string>();
  let here = schema;
  for (let name = referenceOf(here); name !== undefined; name = referenceOf(here)) {
    if (seen.has(name)) return undefined;
    seen.add(name);
    here = index.get(name)?.definition;
  }
  return here;
}
