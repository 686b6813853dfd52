import type { Enumeration, EnumerationMember, JsonSchema } from '../schema/model.ts';
import { SchemaNode, typeOf } from '../schema/node.ts';
import type { Json } from '../json/json.ts';
import { type Claim, distinctNames, toEnumMemberName } from './names.ts';

/**
 * Reads a schema as an enumeration of strings or of numbers, closed (`enum`) or open (`x-extensible-enum`). Returns
 * `undefined` for other schemas: with mixed types, with null among the values, or with keywords such as `$ref` and
 * `allOf`.
 */
export function toEnumeration(definition: JsonSchema): Enumeration | undefined {
  const node = new SchemaNode(definition);
  const open = !node.has('enum');
  const values = node.list(open ? 'x-extensible-enum' : 'enum') ?? [];
  if (values.length === 0 || node.has('$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if')) {
    return undefined;
  }
  const [type, ...otherTypes] = node.types ?? [typeOf(values[0] ?? null)];
  if (otherTypes.length > 0) return undefined;
  if (type === 'string' && values.every((value) => typeof value === 'string')) {
    return { base: type, open, members: toMembers(values, node) };
  }
  const isNumeric = type === 'integer' || type === 'number';
  return isNumeric && values.every((value) => typeof value === 'number')
    ? { base: type, open, members: toMembers(values, node) }
    : undefined;
}

/**
 * Names each value after `x-enum-varnames`, or after itself. No other value changes a name, unless both would have the
 * same. A value that is repeated has a member for each of its names.
 */
function toMembers(
  values: readonly (string | number)[],
  node: SchemaNode,
): readonly EnumerationMember[] {
  const descriptions = listFor(values, node, 'x-enum-descriptions');
  const members = claimsOf(values, node);
  const distinct = distinctNames(members);
  return members.map(({ value, index }, position) => {
    const description = descriptions?.[index];
    return {
      name: distinct[position] ?? '',
      value,
      ...(typeof description === 'string' ? { description } : {}),
    };
  });
}

/** A value of an enumeration, with the key that it gets if no other value would have the same one. */
export interface KeyClaim extends Claim {
  readonly value: string | number;
  /** The position of the value in its list. */
  readonly index: number;
}

/** Returns the groups of values whose keys would be the same, each in the order of the list. */
export function collidingKeys(definition: JsonSchema): readonly (readonly KeyClaim[])[] {
  const node = new SchemaNode(definition);
  const values = node.list('enum') ?? node.list('x-extensible-enum') ?? [];
  const scalars = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  const groups = Map.groupBy(claimsOf(scalars, node), ({ wanted }) => wanted);
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** Returns what the keys of values are made from. A value that is repeated has one for each of its names. */
function claimsOf(values: readonly (string | number)[], node: SchemaNode): readonly KeyClaim[] {
  const names = listFor(values, node, 'x-enum-varnames');
  const first = new Map<string, number>();
  for (const [index, value] of values.entries()) {
    const key = JSON.stringify([value, names?.[index] ?? null]);
    if (!first.has(key)) first.set(key, index);
  }
  return Array.from(first, ([place, index]) => {
    const value = values[index] ?? '';
    const declaredName = names?.[index];
    const spelled = typeof declaredName === 'string' ? declaredName : value;
    return { value, place, id: String(spelled), wanted: toEnumMemberName(spelled), index };
  });
}

/** Returns a list that has an entry for each value. With another number, it is unclear which entry belongs to which. */
function listFor(
  values: readonly unknown[],
  node: SchemaNode,
  keyword: string,
): readonly Json[] | undefined {
  const list = node.list(keyword);
  return list?.length === values.length ? list : undefined;
}
