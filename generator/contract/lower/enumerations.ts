import { type Json, type JsonObject, isJsonObject } from '../../json/json.ts';
import type { Enumeration, EnumerationMember, JsonSchema } from '../../schema/model.ts';
import { NameRegistry, toEnumMemberName } from './names.ts';

/**
 * Reads a schema as an enumeration of strings or of numbers, closed (`enum`) or open (`x-extensible-enum`).
 * Answers `undefined` where it is none: mixed types, null among the values, or keywords that restrict it further.
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

/** Names each value after `x-enum-varnames`, or after itself. Equal names are told apart by a number. */
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

/** A list with an entry for each value; of another it is not known which entry is whose. */
function listOf(value: Json | undefined, length: number): readonly Json[] {
  return Array.isArray(value) && value.length === length ? (value as readonly Json[]) : [];
}
