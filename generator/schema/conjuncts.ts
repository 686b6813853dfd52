import { isJsonObject } from '../json/json.ts';
import type { JsonSchema } from './model.ts';
import { SchemaNode } from './node.ts';
import type { SchemaIndex } from './references.ts';

/**
 * Returns the schemas that apply to the same value: the given ones, targets of references, and parts of `allOf`. Leaves
 * out schemas that only refer to another one.
 */
export function conjunctsOf(
  schemas: readonly JsonSchema[],
  index: SchemaIndex,
): readonly SchemaNode[] {
  const nodes = new Map<JsonSchema, SchemaNode | undefined>();
  const stack = schemas.toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!isJsonObject(next) || nodes.has(next)) continue;
    const node = new SchemaNode(next);
    const isReferenceOnly = node.reference !== undefined && Object.keys(next).length === 1;
    nodes.set(next, isReferenceOnly ? undefined : node);
    const target = node.target(index);
    stack.push(...node.allOf, ...(target === undefined ? [] : [target]));
  }
  return [...nodes.values()].filter((node) => node !== undefined);
}

/** Returns the schemas that several schemas declare for each member, by its name, each list in the order of the schemas. */
export function memberSchemas(
  nodes: readonly SchemaNode[],
): ReadonlyMap<string, readonly JsonSchema[]> {
  const members = new Map<string, JsonSchema[]>();
  for (const { properties } of nodes)
    for (const [name, schema] of properties) {
      const schemas = members.get(name);
      if (schemas === undefined) members.set(name, [schema]);
      else schemas.push(schema);
    }
  return members;
}

/** Returns the schemas that apply to the value at a path of members below a value of the given schemas. */
export function conjunctsAt(
  schemas: readonly JsonSchema[],
  path: readonly string[],
  index: SchemaIndex,
): readonly SchemaNode[] {
  let parts = conjunctsOf(schemas, index);
  for (const member of path)
    parts = conjunctsOf(
      parts.map((part) => part.property(member)).filter((schema) => schema !== undefined),
      index,
    );
  return parts;
}
