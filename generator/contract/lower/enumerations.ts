import { type Json, type JsonObject, isJsonObject } from '../../json/json.ts';
import type { Enumeration, EnumerationMember, JsonSchema } from '../../schema/model.ts';
import { NameRegistry, toEnumMemberName } from './names.ts';

/**
 * Reads a schema as an enumeration of strings or of numbers, closed (`enum`) or open (`x-extensible-enum`). Returns
 * `undefined` for other schemas: with mixed types, with null among the values, or with keywords such as `$ref` and
 * `allOf`.
 */
export function toEnumeration(definition: JsonSchema): Enumeration | undefined {
  if (!isJsonObject(definition)) return undefined;
  const open = !Object.hasOwn(definition, 'enum') && Object.hasOwn(definition, 'x-extensible-enum');
  const values = definition[open ? 'x-extensible-enum' : 'enum'];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  if (combining.some((keyword) => Object.hasOwn(definition, keyword))) return undefined;
  const base = baseOf(values, definition['type']);
  if (base === undefined) return undefined;
  return { base, open, members: toMembers(values as readonly (string | number)[], definition) };
}

const combining = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'] as const;

function baseOf(values: readonly Json[], type: Json | undefined): Enumeration['base'] | undefined {
  if (values.every((value) => typeof value === 'string')) {
    return type === undefined || type === 'string' ? 'string' : undefined;
  }
  if (!values.every((value) => typeof value === 'number')) return undefined;
  if (type === 'integer' || type === 'number') return type;
  return type === undefined ? 'number' : undefined;
}

/** Names each value after `x-enum-varnames`, or after itself. Appends a number to a name that is already taken. */
function toMembers(
  values: readonly (string | number)[],
  definition: JsonObject,
): readonly EnumerationMember[] {
  const names = listOf(definition['x-enum-varnames'], values.length);
  const descriptions = listOf(definition['x-enum-descriptions'], values.length);
  const taken = new NameRegistry<string | number>();
  return [...new Set(values)].map((value) => {
    const index = values.indexOf(value);
    const given = names[index];
    const wanted = toEnumMemberName(typeof given === 'string' ? given : value);
    const description = descriptions[index];
    return {
      name: taken.claimFree(wanted, value),
      value,
      ...(typeof description === 'string' ? { description } : {}),
    };
  });
}

/**
 * Returns the list if it has one entry for each value. Otherwise it is unclear which entry belongs to which value, and
 * the result is empty.
 */
function listOf(value: Json | undefined, length: number): readonly Json[] {
  return Array.isArray(value) && value.length === length ? (value as readonly Json[]) : [];
}
