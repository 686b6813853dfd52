import type { JsonSchema } from './model.ts';
import { type JsonType, SchemaNode, typeOf } from './node.ts';
import { resolveSchema, type SchemaIndex } from './references.ts';

/** The JSON types that a value can have, which decide how its text in a URL, header or form is read. */
export interface ValueShape {
  /** In JSON Schema's words; several if the schema allows several. Empty: any. */
  readonly types: readonly JsonType[];
  /** The shape of the elements of an array. */
  readonly items?: ValueShape;
  /** The shapes of the declared members of an object. */
  readonly properties?: Readonly<Record<string, ValueShape>>;
  /** The shape of the other members of an object, where the schema states one. */
  readonly others?: ValueShape;
}

/**
 * How many levels of members and elements a shape describes. Names of forms can have many, such as
 * `orders[0][lines][0][price]`. A schema that refers to itself has more values with each level.
 */
const depths = [16, 8, 4];
/** The values that one shape describes. References can make a small schema describe more of them. */
const maxValues = 2000;

/**
 * Returns the JSON types that the values of a schema can have, with those of their elements and members, as deeply as
 * 2,000 values allow, and at least four levels. Values that are nested more deeply can have any type.
 */
export function shapeOf(index: SchemaIndex, schema: JsonSchema): ValueShape {
  let shape: ValueShape = { types: [] };
  for (const depth of depths) {
    const described = describeShape(index, schema, depth);
    ({ shape } = described);
    if (described.count <= maxValues) break;
  }
  return shape;
}

/** Describes a schema to a depth, and counts the values. Those after the first 2,000 can have any type. */
function describeShape(
  index: SchemaIndex,
  schema: JsonSchema,
  maxDepth: number,
): { readonly shape: ValueShape; readonly count: number } {
  let count = 0;
  const describe = (part: JsonSchema, depth: number): ValueShape => {
    count += 1;
    if (count > maxValues) return { types: [] };
    const nodes = partsOf(index, part, new Set());
    const types = [...new Set(nodes.flatMap((node) => typesOf(node)))];
    if (depth === 0) return { types };
    const items = nodes
      .map((node) => node.schema('items'))
      .filter((itemsSchema) => itemsSchema !== undefined);
    const properties = Map.groupBy(
      nodes.flatMap((node) => node.properties),
      ([name]) => name,
    );
    const others = nodes.flatMap((node) => [
      ...[node.schema('additionalProperties')].filter((one) => typeof one === 'object'),
      ...node.patternProperties.map(([, member]) => member),
    ]);
    return {
      types,
      ...(items.length === 0 ? {} : { items: describe(joined(items), depth - 1) }),
      ...(properties.size === 0
        ? {}
        : {
            properties: Object.fromEntries(
              Array.from(properties, ([name, all]) => [
                name,
                describe(joined(all.map(([, property]) => property)), depth - 1),
              ]),
            ),
          }),
      ...(others.length === 0 ? {} : { others: describe(joined(others), depth - 1) }),
    };
  };
  return { shape: describe(schema, maxDepth), count };
}

/** Returns one schema for what several parts of a schema, or its alternatives, state of one value. */
function joined(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = true, ...rest] = schemas;
  return rest.length === 0 ? first : { anyOf: schemas };
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
