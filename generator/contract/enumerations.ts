import type { Enumeration, EnumerationMember, JsonSchema } from '../schema/model.ts';
import { SchemaNode, typeOf } from '../schema/node.ts';
import { NameRegistry, toEnumMemberName } from './names.ts';

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
 * Names each value after `x-enum-varnames`, or after itself. Appends a number to a name that is already taken. A value
 * that is repeated has a member for each of its names.
 */
function toMembers(
  values: readonly (string | number)[],
  node: SchemaNode,
): readonly EnumerationMember[] {
  // With another number of entries, it is unclear which entry belongs to which value.
  const [names, descriptions] = ['x-enum-varnames', 'x-enum-descriptions'].map((keyword) => {
    const list = node.list(keyword);
    return list?.length === values.length ? list : undefined;
  });
  const taken = new NameRegistry<string>();
  const first = new Map<string, number>();
  for (const [index, value] of values.entries()) {
    const key = JSON.stringify([value, names?.[index] ?? null]);
    if (!first.has(key)) first.set(key, index);
  }
  return Array.from(first, ([key, index]) => {
    const value = values[index] ?? '';
    const declaredName = names?.[index];
    const wanted = toEnumMemberName(typeof declaredName === 'string' ? declaredName : value);
    const description = descriptions?.[index];
    return {
      name: taken.claimFree(wanted, key),
      value,
      ...(typeof description === 'string' ? { description } : {}),
    };
  });
}
