import { optional } from '../json/json.ts';
import { pointerMembers } from '../json/pointer.ts';
import { conjunctsOf } from '../schema/conjuncts.ts';
import type { JsonSchema, Variant } from '../schema/model.ts';
import { type JsonType, type SchemaNode, typeOf } from '../schema/node.ts';
import { findSchema, indexSchemas, type SchemaIndex } from '../schema/references.ts';
import type {
  BodySignature,
  Contract,
  Notification,
  SignedBody,
  SignedMember,
} from './contract.ts';
import { absentValuesOf, type NormalizationNode } from './normalization.ts';
import type { AbsentValue } from './vocabulary/types.ts';

type Sources = Pick<Contract, 'notifications' | 'security' | 'schemas'>;
type Members = readonly string[];

/** Returns the schemes of signatures in the body that the security of a notification names. */
function bodySchemesOf(
  { security }: Pick<Contract, 'security'>,
  { security: requirements }: Pick<Notification, 'security'>,
): readonly { readonly id: string; readonly bodySignature: BodySignature }[] {
  const ids = new Set(requirements.flat().map(({ scheme }) => scheme));
  return security.flatMap(({ id, bodySignature }) =>
    ids.has(id) && bodySignature !== undefined ? [{ id, bodySignature }] : [],
  );
}

/** Returns the paths of the members that a signature covers, from the value that is signed. */
export function coveredPaths({ over }: BodySignature): readonly Members[] {
  return over.map((part) => pointerMembers(typeof part === 'string' ? part : part.member));
}

/**
 * Returns the paths of the signed members in the canonical format, for each way in which an authentic delivery can
 * arrive: as the value itself, or as an element of a list. Where a signature is of each element of a list, nothing but
 * an element is authentic.
 */
export function signedPathsByForm(
  signature: BodySignature,
  variants: readonly Variant[],
): readonly (readonly Members[])[] {
  const paths = coveredPaths(signature);
  if (signature.each === undefined) return [paths];
  return variants
    .filter(({ each }) => each === signature.each)
    .map(({ as = '' }) => paths.map((path) => [...pointerMembers(as), ...path]));
}

/** Describes what signatures in the body cover of a notification; `undefined` if its security names none. */
export function describeSignedBody(
  contract: Pick<Contract, 'security'>,
  notification: Pick<Notification, 'security' | 'payload'>,
  index: SchemaIndex,
): SignedBody | undefined {
  const schemes = bodySchemesOf(contract, notification);
  const [first] = schemes;
  if (first === undefined) return undefined;
  const { definition, variants } = findSchema(index, notification.payload);
  const paths = schemes.flatMap(({ bodySignature }) =>
    signedPathsByForm(bodySignature, variants).flat(),
  );
  const each = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return {
    schemes: schemes.map(({ id }) => id),
    ...optional('each', first.bodySignature.each),
    members: Array.from(each.values(), (path) => describeSigned(definition, path, index)),
  };
}

/**
 * Returns the members at the top of an element that a signature of each element covers. A receiver must not take them
 * from what is beside the list.
 */
export function signedElementMembers(contract: Sources, variant: Variant): readonly string[] {
  if (variant.each === undefined || (variant.as ?? '') !== '') return [];
  const signatures = contract.notifications
    .filter(({ payload }) =>
      findSchema(indexSchemas(contract), payload).variants.some(
        ({ pointer }) => pointer === variant.pointer,
      ),
    )
    .flatMap((notification) => bodySchemesOf(contract, notification))
    .map(({ bodySignature }) => bodySignature)
    .filter(({ each }) => each === variant.each);
  return [...new Set(signatures.flatMap(coveredPaths).flatMap(([first]) => first ?? []))];
}

/** Returns what a schema says about a member at a path. */
function describeSigned(schema: JsonSchema, path: Members, index: SchemaIndex): SignedMember {
  const [name = ''] = path.slice(-1);
  let holders: readonly JsonSchema[] = [schema];
  for (const member of path.slice(0, -1)) holders = membersOf(holders, member, index);
  const alternatives = alternativesAt([schema], path, { index, left: maxAlternatives });
  const typesOfEach = alternatives.map(({ nodes }) => typesOfAll(nodes));
  const types = new Set(typesOfEach.flatMap((list) => [...(list ?? [])]));
  const absent = alternatives.flatMap((alternative) => alternative.absent);
  for (const value of absent) if (isMistakable(value, types)) types.add(typeOf(value));
  const isNullable = types.delete('null');
  return {
    path,
    types: typesOfEach.includes(undefined) ? [] : [...types],
    isNullable: isNullable || absent.includes(null),
    required: requires(holders, name, index),
    canBeEmpty: alternatives.some(
      ({ nodes }) => (typesOfAll(nodes)?.has('string') ?? true) && nodes.every(admitsEmpty),
    ),
  };
}

/** Returns whether a schema permits a text at a path: a signature is one. */
export function permitsText(schema: JsonSchema, path: Members, index: SchemaIndex): boolean {
  return alternativesAt([schema], path, { index, left: maxAlternatives }).some(
    ({ nodes }) => typesOfAll(nodes)?.has('string') ?? true,
  );
}

/** Returns the schemas that apply to a member together, for each alternative of a schema that permits it. */
export function schemasAtMember(
  schema: JsonSchema,
  path: Members,
  index: SchemaIndex,
): readonly (readonly SchemaNode[])[] {
  return alternativesAt([schema], path, { index, left: maxAlternatives }).map(({ nodes }) => nodes);
}

/** Returns whether a value that counts as missing has the text of a value of another type. */
function isMistakable(value: AbsentValue, types: ReadonlySet<JsonType>): boolean {
  if (typeof value === 'boolean') return types.has('string');
  if (typeof value !== 'string') return false;
  return (
    (types.has('boolean') && /^(?:true|false)$/u.test(value)) ||
    (types.has('number') && value !== '' && Number.isFinite(Number(value)))
  );
}

/** What applies to a member in one alternative. */
interface Alternative {
  readonly nodes: readonly SchemaNode[];
  /** The values that count as missing. */
  readonly absent: readonly AbsentValue[];
}

/** The maximum number of alternatives that are compared. A member with more counts as one without a type. */
const maxAlternatives = 200;

const anything: readonly Alternative[] = [{ nodes: [], absent: [] }];

/** Returns what applies to a member in each alternative of a schema that permits it. */
function alternativesAt(
  schemas: readonly JsonSchema[],
  path: Members,
  search: { readonly index: SchemaIndex; left: number },
  absent: readonly AbsentValue[] = [],
): readonly Alternative[] {
  search.left -= 1;
  if (search.left < 0) return anything;
  const nodes = conjunctsOf(schemas, search.index);
  const [name, ...inner] = path;
  const properties =
    name === undefined
      ? []
      : nodes.map((node) => node.property(name)).filter((property) => property !== undefined);
  if (properties.length > 0) {
    const missing = inner.length > 0 ? [] : properties.flatMap(absentValuesOf);
    return alternativesAt(properties, inner, search, missing);
  }
  if (name === undefined && typesOfAll(nodes) !== undefined) return [{ nodes, absent }];
  const alternatives = nodes
    .map(({ anyOf, oneOf }) => [...anyOf, ...oneOf])
    .find((list) => list.length > 0);
  if (alternatives !== undefined)
    return alternatives.flatMap((alternative) =>
      alternativesAt([alternative], path, search, absent).map((found) =>
        name === undefined ? { ...found, nodes: [...nodes, ...found.nodes] } : found,
      ),
    );
  const isForbidden =
    name !== undefined && nodes.some(({ keywords }) => keywords['additionalProperties'] === false);
  return isForbidden ? [] : anything;
}

/** Returns the types that several schemas permit together, with integers as numbers; `undefined` for every type. */
function typesOfAll(nodes: readonly SchemaNode[]): ReadonlySet<JsonType> | undefined {
  const sets = nodes.flatMap(({ types, values }) => {
    const named = values?.map(typeOf) ?? types;
    return named ? [new Set(named.map((type) => (type === 'integer' ? 'number' : type)))] : [];
  });
  const [first, ...others] = sets;
  return first && new Set([...first].filter((type) => others.every((set) => set.has(type))));
}

function admitsEmpty({ keywords, values }: SchemaNode): boolean {
  const { minLength, pattern, format } = keywords;
  if (values !== undefined) return values.includes('');
  return (
    !(typeof minLength === 'number' && minLength > 0) &&
    !(typeof pattern === 'string' && !matchesEmpty(pattern)) &&
    format === undefined
  );
}

function matchesEmpty(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test('');
  } catch {
    return true;
  }
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

/**
 * Adds to the values that count as missing those that are signed like a missing member: an empty text and `null`, for
 * signed members that are not required. Whoever changes one into another changes nothing that a handler gets.
 */
export function withSignedMembers(
  nodes: readonly NormalizationNode[],
  members: readonly SignedMember[],
): readonly NormalizationNode[] {
  const changed = [...nodes];
  for (const { path, required } of members) if (required === false) addAbsent(changed, path);
  return changed;
}

/** Adds the node of a path. Nodes on the way are copied, because a schema that is used twice has one node. */
function addAbsent(nodes: NormalizationNode[], path: Members): void {
  const [name = ''] = path.slice(-1);
  nodes[0] ??= idle;
  let at = 0;
  for (const member of path.slice(0, -1)) {
    const node = nodes[at] ?? idle;
    const below = node.members.find(([declared]) => declared === member)?.[1];
    const next = nodes.length;
    nodes.push((below === undefined ? undefined : nodes[below]) ?? idle);
    nodes[at] = {
      ...node,
      members: [...node.members.filter(([declared]) => declared !== member), [member, next]],
    };
    at = next;
  }
  const node = nodes[at] ?? idle;
  const before = node.values.find(([declared]) => declared === name)?.[1] ?? [];
  nodes[at] = {
    ...node,
    values: [
      ...node.values.filter(([declared]) => declared !== name),
      [name, [...new Set([...before, '', null])]],
    ],
  };
}

const idle: NormalizationNode = { values: [], members: [] };
