import { memoize } from '../execution/memoize.ts';
import { type JsonObject, type Scalar, isScalar } from '../json/json.ts';
import { escapeMember } from '../json/pointer.ts';
import type { Condition, Conditions, JsonSchema } from '../schema/model.ts';
import { SchemaNode } from '../schema/node.ts';
import { type SchemaIndex, resolveSchema, toReference } from '../schema/references.ts';
import type { Recognizable } from './recognizable.ts';

/**
 * Derives the conditions that identify a notification from its required constant headers and its payload's required
 * constants. Headers come first, then members by their depth. Returns an empty list where there are no constants.
 * Ignores members that may be absent, and members that not every alternative of `oneOf` or `anyOf` has.
 */
export function deriveIdentification(
  index: SchemaIndex,
  { payload, headers }: Pick<Recognizable, 'payload' | 'headers'>,
): readonly Conditions[] {
  const inHeaders = headers.flatMap(({ name, required, schema }): readonly Condition[] => {
    const constant = required ? constantOf(schema) : undefined;
    if (constant === undefined) return [];
    return [{ expression: `$request.header.${name}`, schema: { const: String(constant) } }];
  });
  const constants = [...findConstants(toReference(payload), { index, steps: 5000 })];
  const inBody = constants
    .toSorted(([a], [b]) => depthOf(a) - depthOf(b))
    .map(([pointer, values]): Condition => {
      const [only = null, ...otherValues] = values;
      return {
        expression: `$request.body#${pointer}`,
        schema: otherValues.length === 0 ? { const: only } : { enum: [...values] },
      };
    });
  const conditions = [...inHeaders, ...inBody];
  return conditions.length > 0 ? [conditions] : [];
}

/** The constant values of members, by the pointer of the member. */
type Constants = ReadonlyMap<string, readonly Scalar[]>;

/**
 * The schemas that references resolve to, and the remaining steps of a search. Hostile schemas multiply by nesting, so
 * the search finds nothing more at 0 steps.
 */
interface Search {
  readonly index: SchemaIndex;
  steps: number;
}

/** The maximum nesting. Deeper members rarely distinguish kinds, and recursive schemas have no deepest member. */
const maxNesting = 4;

/**
 * Returns the required constants of a schema and of the schemas in it.
 * @param outer the members that the surrounding schemas require of the same object
 */
function findConstants(
  schema: JsonSchema,
  search: Search,
  nesting = 0,
  outer: ReadonlySet<string> = new Set(),
): Constants {
  search.steps -= 1;
  if (search.steps < 0 || nesting > maxNesting) return new Map();
  const node = new SchemaNode(resolveSchema(search.index, schema) ?? true);
  // Many payloads refer to the same few schemas.
  const cached = outer.size === 0 ? cachedConstants(node.keywords) : undefined;
  const before = cached?.[nesting];
  if (before !== undefined) return before;
  const required = new Set([...outer, ...requiredIn(node, search.index)]);
  const constantsAt = new Map<string, readonly Scalar[]>();
  const add = (constants: Constants, below = ''): void => {
    for (const [at, values] of constants)
      if (!constantsAt.has(below + at)) constantsAt.set(below + at, values);
  };
  const inside: (readonly [string, JsonSchema])[] = [];
  for (const [name, property] of node.properties) {
    if (!required.has(name)) continue;
    const constant = constantOf(resolveSchema(search.index, property));
    if (constant === undefined) inside.push([toPointer(name), property]);
    else constantsAt.set(toPointer(name), [constant]);
  }
  const findIn = (part: JsonSchema): Constants =>
    findConstants(part, search, nesting + 1, required);
  for (const part of node.allOf) add(findIn(part));
  for (const alternatives of [node.oneOf, node.anyOf]) {
    add(commonConstants(alternatives.map(findIn)));
  }
  for (const [below, property] of inside) add(findConstants(property, search, nesting + 1), below);
  if (cached !== undefined && search.steps >= 0) cached[nesting] = constantsAt;
  return constantsAt;
}

/** Returns the cached constants of a schema, by the nesting at which they were found. The caller adds to this list. */
const cachedConstants = memoize((_schema: JsonObject): Constants[] => []);

/** Returns the members that a schema requires, itself or by its `allOf`. */
function requiredIn(node: SchemaNode, index: SchemaIndex, nesting = 0): readonly string[] {
  if (nesting > maxNesting) return node.required;
  const parts = node.allOf.flatMap((part) =>
    requiredIn(new SchemaNode(resolveSchema(index, part) ?? true), index, nesting + 1),
  );
  return [...node.required, ...parts];
}

/** Returns the members for which every alternative has a constant, with the values of all alternatives. */
function commonConstants(alternatives: readonly Constants[]): Constants {
  const [first = new Map<string, readonly Scalar[]>(), ...otherAlternatives] = alternatives;
  const common = [...first.keys()].filter((at) =>
    otherAlternatives.every((alternative) => alternative.has(at)),
  );
  return new Map(
    common.map((at) => [at, [...new Set(alternatives.flatMap((each) => each.get(at) ?? []))]]),
  );
}

function constantOf(schema: JsonSchema | undefined): Scalar | undefined {
  const { constant } = new SchemaNode(schema ?? true);
  return isScalar(constant) ? constant : undefined;
}

function toPointer(name: string): string {
  return `/${escapeMember(name)}`;
}

function depthOf(pointer: string): number {
  return pointer.split('/').length;
}
