import { conjunctsOf } from './conjuncts.ts';
import type { JsonSchema } from './model.ts';
import { type JsonType, type SchemaNode, typeOf } from './node.ts';
import type { SchemaIndex } from './references.ts';

/** What applies to a member in one alternative of a schema that permits it. */
export interface MemberAlternative {
  /** The schemas that apply together; none where every value is permitted. */
  readonly nodes: readonly SchemaNode[];
  /** The schemas by which the alternative declares the member, as they are written. */
  readonly declared: readonly JsonSchema[];
}

/** The maximum number of alternatives that are compared. A member with more counts as one without a type. */
const maxAlternatives = 200;

const anything: readonly MemberAlternative[] = [{ nodes: [], declared: [] }];

/** Returns what applies to the member at a path in each alternative of a schema that permits it. */
export function alternativesAt(
  schema: JsonSchema,
  path: readonly string[],
  index: SchemaIndex,
): readonly MemberAlternative[] {
  return findAlternatives([schema], path, { index, left: maxAlternatives });
}

/** Returns whether a schema permits a text at a path. */
export function permitsText(
  schema: JsonSchema,
  path: readonly string[],
  index: SchemaIndex,
): boolean {
  return alternativesAt(schema, path, index).some(
    ({ nodes }) => typesOfAll(nodes)?.has('string') ?? true,
  );
}

/** Returns whether each value has the member at a path; `maybe` if only some alternatives require it. */
export function isRequiredAt(
  schema: JsonSchema,
  path: readonly string[],
  index: SchemaIndex,
): boolean | 'maybe' {
  const [name = ''] = path.slice(-1);
  let holders: readonly JsonSchema[] = [schema];
  for (const member of path.slice(0, -1)) holders = membersOf(holders, member, index);
  return requires(holders, name, index);
}

function findAlternatives(
  schemas: readonly JsonSchema[],
  path: readonly string[],
  search: { readonly index: SchemaIndex; left: number },
  declared: readonly JsonSchema[] = [],
): readonly MemberAlternative[] {
  search.left -= 1;
  if (search.left < 0) return anything;
  const nodes = conjunctsOf(schemas, search.index);
  const [name, ...inner] = path;
  const properties =
    name === undefined
      ? []
      : nodes.map((node) => node.property(name)).filter((property) => property !== undefined);
  if (properties.length > 0) {
    return findAlternatives(properties, inner, search, inner.length > 0 ? [] : properties);
  }
  if (name === undefined && typesOfAll(nodes) !== undefined) return [{ nodes, declared }];
  const alternatives = nodes
    .map(({ anyOf, oneOf }) => [...anyOf, ...oneOf])
    .find((list) => list.length > 0);
  if (alternatives !== undefined)
    return alternatives.flatMap((alternative) =>
      findAlternatives([alternative], path, search, declared).map((found) =>
        name === undefined ? { ...found, nodes: [...nodes, ...found.nodes] } : found,
      ),
    );
  const isForbidden =
    name !== undefined && nodes.some(({ keywords }) => keywords['additionalProperties'] === false);
  return isForbidden ? [] : anything;
}

/** Returns the types that several schemas permit together, with integers as numbers; `undefined` for every type. */
export function typesOfAll(nodes: readonly SchemaNode[]): ReadonlySet<JsonType> | undefined {
  const sets = nodes.flatMap(({ types, values }) => {
    const named = values?.map(typeOf) ?? types;
    return named ? [new Set(named.map((type) => (type === 'integer' ? 'number' : type)))] : [];
  });
  const [first, ...others] = sets;
  return first && new Set([...first].filter((type) => others.every((set) => set.has(type))));
}

function membersOf(
  holders: readonly JsonSchema[],
  name: string,
  index: SchemaIndex,
): readonly JsonSchema[] {
  return withAlternatives(holders, index)
    .map((node) => node.property(name))
    .filter((property) => property !== undefined);
}

/** Returns the schemas that can apply to a value, those of alternatives included. */
function withAlternatives(
  schemas: readonly JsonSchema[],
  index: SchemaIndex,
): readonly SchemaNode[] {
  const nodes = new Map<unknown, SchemaNode>();
  const stack = [...schemas];
  for (let next = stack.pop(); next !== undefined; next = stack.pop())
    for (const node of conjunctsOf([next], index)) {
      if (nodes.has(node.keywords)) continue;
      nodes.set(node.keywords, node);
      stack.push(...node.anyOf, ...node.oneOf);
    }
  return [...nodes.values()];
}

function requires(
  holders: readonly JsonSchema[],
  name: string,
  index: SchemaIndex,
): boolean | 'maybe' {
  const always = holders.some((holder) =>
    conjunctsOf([holder], index).some((node) => node.required.includes(name)),
  );
  if (always) return true;
  const sometimes = withAlternatives(holders, index).some((node) => node.required.includes(name));
  return sometimes ? 'maybe' : false;
}
