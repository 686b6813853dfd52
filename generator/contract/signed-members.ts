import { optional } from '../json/json.ts';
import { pointerMembers } from '../json/pointer.ts';
import { alternativesAt, isRequiredAt, typesOfAll } from '../schema/member-alternatives.ts';
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
  const alternatives = alternativesAt(schema, path, index);
  const typesOfEach = alternatives.map(({ nodes }) => typesOfAll(nodes));
  const types = new Set(typesOfEach.flatMap((list) => [...(list ?? [])]));
  const absent = alternatives.flatMap(({ declared }) => declared.flatMap(absentValuesOf));
  for (const value of absent) if (isMistakable(value, types)) types.add(typeOf(value));
  const isNullable = types.delete('null');
  return {
    path,
    types: typesOfEach.includes(undefined) ? [] : [...types],
    isNullable: isNullable || absent.includes(null),
    required: isRequiredAt(schema, path, index),
    canBeEmpty: alternatives.some(
      ({ nodes }) => (typesOfAll(nodes)?.has('string') ?? true) && nodes.every(admitsEmpty),
    ),
  };
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
