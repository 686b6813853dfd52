import { hash as toHash } from 'node:crypto';
import { mapSchema, mapSubschemas } from '../schema/visit.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';

/** A named schema, or a subschema that several schemas share, with a generated name. */
export interface ShareableSchema {
  readonly name: string;
  readonly schema: JsonObject;
  /** The hash of its content, in hexadecimal digits; set for a shared subschema. */
  readonly hash?: string;
}

/** A schema or subschema that stands for all equal ones. */
interface Node {
  readonly schema: JsonObject;
  /** The numbers of its direct subschemas, with repetitions. */
  readonly below: readonly number[];
  /** How often it is a direct subschema of other nodes. */
  uses: number;
}

/** The minimum number of keywords, members and required names for which a shared function is worth a call. */
const minSharedSize = 20;

/**
 * The number of levels within a subschema from which it has a function of its own. Each level of one function is indented
 * further and names the indexes of all levels around it, so that the code of nested lists grows with the cube of the
 * levels.
 */
const minSharedLevels = 16;

/**
 * Replaces a subschema that equals another subschema, or a named schema, by a reference. Contracts that describe each
 * body in full repeat the same objects hundreds of times, and their validators would be written as often. Small
 * subschemas are not replaced. Neither are those that occur once, unless they have many levels. The result has the named schemas first, in their order.
 */
export function shareSubschemas(
  schemas: ReadonlyMap<string, JsonObject>,
): readonly ShareableSchema[] {
  const nodes: Node[] = [];
  const numbers = new Map<string | JsonObject, number>();
  const intern = (schema: JsonObject): JsonObject => {
    const below: number[] = [];
    const key = JSON.stringify(schema, (_, value: unknown) => {
      const number = isJsonObject(value) ? numbers.get(value) : undefined;
      if (number === undefined) return value;
      below.push(number);
      return [number];
    });
    const equalNode = nodes[numbers.get(key) ?? -1];
    if (equalNode !== undefined) return equalNode.schema;
    for (const number of below) countUse(nodes[number]);
    numbers.set(key, nodes.length);
    numbers.set(schema, nodes.length);
    nodes.push({ schema, below, uses: 0 });
    return schema;
  };
  const roots = new Map<number, string>();
  const entries = [...schemas].map(([name, schema]) => {
    const interned = mapSchema(schema, intern);
    const number = isJsonObject(interned) ? (numbers.get(interned) ?? -1) : -1;
    if (!roots.has(number)) roots.set(number, name);
    return [name, number] as const;
  });
  return writeSchemas(nodes, numbers, roots, entries);
}

function countUse(node: Node | undefined): void {
  if (node !== undefined) node.uses += 1;
}

/**
 * Decides which nodes are shared and writes all schemas with references to them. A node comes after the nodes that it
 * contains, so these are already decided.
 */
function writeSchemas(
  nodes: readonly Node[],
  numbers: ReadonlyMap<string | JsonObject, number>,
  roots: ReadonlyMap<number, string>,
  entries: readonly (readonly [string, number])[],
): readonly ShareableSchema[] {
  const taken = new Set(entries.map(([name]) => name));
  const sizes: number[] = [];
  const levels: number[] = [];
  const sharedSchemas: JsonObject[] = [];
  const references = new Map<number, string>();
  const shared: ShareableSchema[] = [];
  nodes.forEach(({ schema, below, uses }, number) => {
    const replaced = mapSubschemas(schema, (sub) => {
      const inner = isJsonObject(sub) ? (numbers.get(sub) ?? -1) : -1;
      const reference = references.get(inner);
      return reference === undefined ? (sharedSchemas[inner] ?? sub) : { $ref: reference };
    });
    sharedSchemas.push(replaced);
    const size = below.reduce(
      (sum, inner) => sum + (references.has(inner) ? 1 : (sizes[inner] ?? 0)),
      ownSize(schema),
    );
    sizes.push(size);
    const depth = below.reduce(
      (most, inner) => Math.max(most, references.has(inner) ? 0 : (levels[inner] ?? 0)),
      0,
    );
    levels.push(depth + 1);
    const root = roots.get(number);
    const isShared = size >= minSharedSize && (uses > 1 || root !== undefined);
    if (!isShared && (root !== undefined || levels[number] !== minSharedLevels)) return;
    if (root !== undefined) {
      references.set(number, root);
      return;
    }
    const hash = hashOf(replaced);
    let name = `shared ${hash}`;
    while (taken.has(name)) name += ' ';
    taken.add(name);
    references.set(number, name);
    shared.push({ name, schema: replaced, hash });
  });
  const named = entries.map(([name, number]) => {
    const reference = references.get(number);
    const isOther = reference !== undefined && reference !== name;
    return { name, schema: isOther ? { $ref: reference } : (sharedSchemas[number] ?? {}) };
  });
  return [...named, ...shared];
}

function ownSize(schema: JsonObject): number {
  return Object.entries(schema).reduce((size, [keyword, value]) => {
    if (keyword === 'required' && Array.isArray(value)) return size + value.length;
    const isMap = keyword === 'properties' || keyword === 'patternProperties';
    return size + (isMap && isJsonObject(value) ? Object.keys(value).length : 1);
  }, 0);
}

function hashOf(schema: JsonObject): string {
  return toHash('sha256', JSON.stringify(schema)).slice(0, 16);
}
