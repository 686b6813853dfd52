import type { Finding, Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Place } from '../specification/walk.ts';
import { schemasWith } from '../documents/places.ts';

/**
 * Checks that `x-enum-varnames` and `x-enum-descriptions` have one entry for each value, that names are distinct, and
 * that a known value that is repeated has a name for each.
 */
export const enumNames: Rule = {
  codes: ['enum-names'],
  *check({ documents }) {
    for (const schema of schemasWith(documents, ...listKeywords)) {
      yield* checkLengths(schema);
      yield* checkDistinct(schema);
    }
    for (const schema of schemasWith(documents, 'x-extensible-enum')) yield* checkRepeated(schema);
  },
};

/** The lists that annotate the values of an enumeration. */
const listKeywords = ['x-enum-varnames', 'x-enum-descriptions'] as const;

function* checkLengths(schema: Place): Iterable<Finding> {
  const values = ['enum', 'x-extensible-enum']
    .map((keyword) => schema.valueIn(keyword))
    .find((value) => Array.isArray(value));
  for (const keyword of listKeywords) {
    const at = schema.child(keyword);
    if (!Array.isArray(at.value)) continue;
    const [nameCount, valueCount] = [at.value.length, Array.isArray(values) ? values.length : 0];
    if (nameCount === valueCount) continue;
    yield {
      pointer: at.pointer,
      message:
        valueCount === 0
          ? `\`${keyword}\` is on a schema that has no \`enum\` and no \`x-extensible-enum\`.`
          : `\`${keyword}\` has ${count(nameCount, 'entry', 'entries')} for ${count(valueCount, 'value', 'values')}.`,
      until: 'the list is ignored',
    };
  }
}

function* checkDistinct(schema: Place): Iterable<Finding> {
  const seen = new Set<string>();
  for (const item of schema.items('x-enum-varnames')) {
    const name = item.text();
    if (name === undefined) continue;
    if (seen.has(name)) {
      yield {
        pointer: item.pointer,
        message: `The name ${quote(name)} is used for two values.`,
        until: 'each key gets a mark of its own',
      };
    }
    seen.add(name);
  }
}

function* checkRepeated(schema: Place): Iterable<Finding> {
  const names = schema.valueIn('x-enum-varnames');
  const seen = new Set<string>();
  for (const [index, item] of [...schema.items('x-extensible-enum')].entries()) {
    const name: unknown = Array.isArray(names) ? names[index] : undefined;
    const key = JSON.stringify([item.value, name ?? null]);
    if (seen.has(key) && name === undefined)
      yield {
        pointer: item.pointer,
        message: `The value ${JSON.stringify(item.value)} is listed twice, without a name for each.`,
        until: 'it is listed once',
      };
    seen.add(key);
  }
}

function count(number: number, singular: string, plural: string): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
