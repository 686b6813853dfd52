import type { ValueShape } from '@countersign/simulator';
import type { JsonSchema } from '../../schema/model.ts';
import { type JsonType, SchemaNode, typeOf } from '../../schema/node.ts';
import { resolveSchema, type SchemaIndex } from '../../schema/references.ts';

/** Values in URLs, headers and forms are flat: deeper members are read as JSON. */
const maxDepth = 4;

/** Returns the JSON types that the values of a schema can have, with those of their elements and members. */
export function shapeOf(
  index: SchemaIndex,
  schema: JsonSchema,
  depth: number = maxDepth,
): ValueShape {
  const nodes = partsOf(index, schema, new Set());
  const types = [...new Set(nodes.flatMap((node) => typesOf(node)))];
  if (depth === 0) return { types };
  const items = nodes.map((node) => node.schema('items')).find((found) => found !== undefined);
  const properties = nodes.flatMap((node) => node.properties);
  return {
    types,
    ...(items === undefined ? {} : { items: shapeOf(index, items, depth - 1) }),
    ...(properties.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            properties.map(([name, property]) => [name, shapeOf(index, property, depth - 1)]),
          ),
        }),
  };
}

/** Returns a schema and everything that describes the same value: targets of references, parts, and alternatives. */
function partsOf(
  index: SchemaIndex,
  schema: JsonSchema,
  seen: Set<JsonSchema>,
): readonly SchemaNode[] {
  const resolved = resolveSchema(index, schema) ?? true;
  if (seen.has(resolved)) return [];
  seen.add(resolved);
  const node = new SchemaNode(resolved);
  const parts = [...node.allOf, ...node.anyOf, ...node.oneOf];
  return [node, ...parts.flatMap((part) => partsOf(index, part, seen))];
}

function typesOf(node: SchemaNode): readonly JsonType[] {
  return (
    node.types ??
    (node.values ?? []).map((value) => (Number.isInteger(value) ? 'integer' : typeOf(value)))
  );
}
