import type { Json } from '../../json/json.ts';
import type { ParseError, Positions } from './positions.ts';

/** The members whose values are values of the schema, variable or parameter that has them. */
const valueMembers = ['enum', 'const', 'default'] as const;

/**
 * Returns the places of numbers in an object whose values are texts, such as the `enum` of a schema with `type: string`,
 * the `default` of a server variable, and `version` of `info`.
 * @param path the place of the object
 */
export function numbersAsTexts(
  object: Readonly<Record<string, unknown>>,
  path: readonly string[],
): readonly (readonly string[])[] {
  if (path.length === 1 && path[0] === 'info')
    return typeof object['version'] === 'number' ? [[...path, 'version']] : [];
  if (!valueMembers.some((member) => Object.hasOwn(object, member))) return [];
  return hasTexts(object, path)
    ? valueMembers.flatMap((member) =>
        indicesOfNumbers(object[member]).map((indices) => [...path, member, ...indices]),
      )
    : [];
}

function hasTexts(object: Readonly<Record<string, unknown>>, path: readonly string[]): boolean {
  const { type, schema } = object;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('string')) return !types.includes('number') && !types.includes('integer');
  // Variables of servers and parameters of channels have no type: they are texts.
  const isVariable = ['variables', 'parameters'].includes(path.at(-2) ?? '');
  return isVariable && type === undefined && schema === undefined;
}

function indicesOfNumbers(value: unknown): readonly (readonly string[])[] {
  if (typeof value === 'number') return [[]];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) => (typeof item === 'number' ? [[String(index)]] : []));
}

/**
 * Replaces numbers by the texts that they are written as, if these differ from how JSON writes the numbers: `1.0`, `007`
 * and `1e3` are `1`, `7` and `1000`. Returns a warning for each.
 * @param places the places of the numbers in the value, which this function changes
 */
export function keepWritten(
  value: Json,
  places: readonly (readonly string[])[],
  positions: Positions,
): readonly ParseError[] {
  return places.flatMap((place): readonly ParseError[] => {
    const member = place.at(-1) ?? '';
    let holder = value as Record<string, Json>;
    for (const name of place.slice(0, -1)) holder = holder[name] as Record<string, Json>;
    const number = JSON.stringify(holder[member]);
    const written = positions.textOf?.(place);
    if (written === undefined || written === number) return [];
    holder[member] = written;
    return [
      {
        code: 'mistyped-value',
        message: `\`${written}\` without quotes is the number ${number}, and texts are expected here.`,
        help: `Write '${written}' in quotes.`,
        until: `it is read as the text '${written}'`,
        ...positions.locate(place),
      },
    ];
  });
}
