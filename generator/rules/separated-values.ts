import type { Json } from '../json/json.ts';
import { isSameJson } from '../json/same-json.ts';
import { absentValuesOf } from '../contract/normalization.ts';
import type { SchemaNode } from '../schema/node.ts';

/** Returns whether it is proven that each text in which a pattern matches contains another text. */
export type AlwaysContains = (pattern: string, contained: string) => boolean;

/** Loads the proof. It is for texts of one character: of longer ones, nothing is proven. */
export async function loadAlwaysContains(): Promise<AlwaysContains> {
  const { areDisjointLanguages, provenLanguageOf } = await import('../patterns/text-language.ts');
  return (pattern, contained) => {
    const [code, ...others] = Array.from(contained, (character) => character.codePointAt(0) ?? 0);
    if (code === undefined || others.length > 0) return false;
    const matching = provenLanguageOf(pattern);
    const lacking = provenLanguageOf(`^[^\\u{${code.toString(16)}}]*$`);
    return (
      matching !== undefined && lacking !== undefined && areDisjointLanguages(matching, lacking)
    );
  };
}

/** The characters that every text of a format contains. */
const marksOfFormats: ReadonlyMap<string, string> = new Map([
  ['date', '-'],
  ['date-time', '-:'],
  ['time', ':'],
  ['duration', 'P'],
  ['email', '@'],
  ['idn-email', '@'],
  ['ipv4', '.'],
  ['ipv6', ':'],
  ['iri', ':'],
  ['uri', ':'],
  ['uuid', '-'],
]);

/**
 * Returns why values of a signed member contain the separator of its signature: the end of a sentence about the member.
 * @param nodes the schemas that apply to the member together
 */
export function separatedValue(
  nodes: readonly SchemaNode[],
  separator: string,
  alwaysContains: AlwaysContains,
): string | undefined {
  const values = [
    ...allowedValues(nodes),
    ...nodes.flatMap(({ keywords }) => absentValuesOf(keywords)),
  ];
  const value = values.find((allowed) => signedText(allowed).includes(separator));
  if (value !== undefined) return `has the value ${JSON.stringify(value)}`;
  for (const { keywords } of nodes) {
    const { format, pattern } = keywords;
    if (typeof format === 'string' && marksOfFormats.get(format)?.includes(separator) === true)
      return `is a text of the format ${JSON.stringify(format)}`;
    if (typeof pattern === 'string' && alwaysContains(pattern, separator))
      return `matches the pattern ${JSON.stringify(pattern)}`;
  }
  return undefined;
}

/** Returns the values that schemas list, as far as all of them permit them. */
function allowedValues(nodes: readonly SchemaNode[]): readonly Json[] {
  const [first, ...others] = nodes.flatMap(({ values }) => (values === undefined ? [] : [values]));
  if (first !== undefined)
    return first.filter((value) =>
      others.every((values) => values.some((other) => isSameJson(other, value))),
    );
  return nodes.some(({ types }) => types?.includes('boolean')) ? [true, false] : [];
}

/** Returns the text that is signed of a value; an empty one for a value of which none is. */
function signedText(value: Json): string {
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}
