import type { Json } from '../json/json.ts';
import type { JsonSchema } from '../schema/model.ts';
import { SchemaNode } from '../schema/node.ts';
import { findSchema, indexSchemas, resolveSchema, type SchemaIndex } from '../schema/references.ts';
import type { Contract, Notification } from './contract.ts';

/** A notification whose payload is one of several schemas, and their number. */
export interface SeveralPayloads {
  readonly notification: Notification;
  readonly count: number;
}

/** Returns the notifications whose payload is one of several schemas, which a member selects. Each is one kind. */
export function notificationsWithSeveralPayloads(contract: Contract): readonly SeveralPayloads[] {
  const index = indexSchemas(contract);
  const heirs = countHeirs(contract);
  return contract.notifications.flatMap((notification) => {
    const { payload } = notification;
    const node = new SchemaNode(findSchema(index, payload).definition);
    const alternatives = node.oneOf.length > 0 ? node.oneOf : node.anyOf;
    const count = alternatives.length === 0 ? (heirs.get(payload) ?? 0) + 1 : alternatives.length;
    if (count < 2) return [];
    const isSelected = node.has('discriminator') || hasSelectingMember(alternatives, index);
    return isSelected ? [{ notification, count }] : [];
  });
}

/** Returns whether a member has other values in each alternative. */
function hasSelectingMember(alternatives: readonly JsonSchema[], index: SchemaIndex): boolean {
  const [first, ...others] = alternatives.map((alternative) => valuesOfMembers(alternative, index));
  return [...(first ?? [])].some(([name, values]) => {
    const known = new Set(values);
    return others.every((members) => {
      const own = members.get(name) ?? [];
      const isNew = own.length > 0 && own.every((value) => !known.has(value));
      for (const value of own) known.add(value);
      return isNew;
    });
  });
}

/** Returns the values of the members of an object that list them, by the names of the members. */
function valuesOfMembers(
  schema: JsonSchema,
  index: SchemaIndex,
  seen: Set<JsonSchema> = new Set(),
): ReadonlyMap<string, readonly Json[]> {
  const resolved = resolveSchema(index, schema) ?? true;
  if (seen.has(resolved)) return new Map();
  seen.add(resolved);
  const node = new SchemaNode(resolved);
  const own = node.properties.flatMap(([name, member]) => {
    const { values } = new SchemaNode(resolveSchema(index, member) ?? true);
    return values === undefined ? [] : [[name, values] as const];
  });
  return new Map([
    ...node.allOf.flatMap((part) => [...valuesOfMembers(part, index, seen)]),
    ...own,
  ]);
}

/** Counts the schemas that directly inherit from others, by the names of these. */
function countHeirs({ schemas }: Contract): ReadonlyMap<string, number> {
  const heirs = new Map<string, number>();
  for (const { definition } of schemas) {
    const parents = new SchemaNode(definition).allOf.map((part) => new SchemaNode(part).reference);
    for (const parent of new Set(parents))
      if (parent !== undefined) heirs.set(parent, (heirs.get(parent) ?? 0) + 1);
  }
  return heirs;
}
