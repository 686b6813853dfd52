import { type Cursor, child, follow, items, text, texts } from '../../../json/cursor.ts';
import type { Place } from '../../../specification/walk.ts';
import { placesOf } from '../../../load/places.ts';
import { quote } from '../../../diagnostics/quote.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { type LintRule, find } from '../rule.ts';

/**
 * Reports numbers that have neither a step nor a bound. JavaScript stores a number as a binary float, which represents
 * a decimal amount exactly only up to about 15 digits. Without a step or a bound, it is unknown whether that suffices.
 */
export const numbers: LintRule = {
  name: 'numbers',
  codes: ['unbounded-number'],
  *check({ documents }): Iterable<Diagnostic> {
    for (const place of placesOf(documents)) {
      if (place.kind !== 'schema' || !isFraction(place) || isInQuestion(place)) continue;
      if (sayingOfTheSame(place).some(isBounded)) continue;
      const name = place.member === 'properties' ? `The number ${quote(place.key)}` : 'A number';
      yield find(
        documents,
        'unbounded-number',
        place.pointer,
        `${name} has neither a step (\`multipleOf\`) nor a bound (\`maximum\`).`,
      );
    }
  },
};

function isFraction(schema: Cursor): boolean {
  const type = child(schema, 'type');
  return text(type) === 'number' || texts(type).includes('number');
}

const bounds = ['multipleOf', 'maximum', 'exclusiveMaximum', 'enum', 'const', 'x-extensible-enum'];

function isBounded(schema: Cursor): boolean {
  return bounds.some((keyword) => child(schema, keyword).value !== undefined);
}

/** Returns whether a schema is within `not` or `if`, where it tests a value instead of constraining it. */
function isInQuestion(place: Place): boolean {
  for (let here: Place | undefined = place; here?.kind === 'schema'; here = here.parent) {
    if (here.member === 'not' || here.member === 'if') return true;
  }
  return false;
}

/**
 * Returns the schemas that apply to the same value: the schema, its enclosing in-place applicators, and the parts of
 * their `allOf`.
 */
function sayingOfTheSame(place: Place): readonly Cursor[] {
  const found = new Set<unknown>();
  const all: Cursor[] = [];
  const add = (at: Cursor): void => {
    if (found.has(at.value)) return;
    found.add(at.value);
    all.push(at);
    for (const part of items(child(at, 'allOf'))) add(follow(part));
  };
  let here: Place | undefined = place;
  add(here);
  while (inPlace.has(here.member) && here.parent?.kind === 'schema') {
    here = here.parent;
    add(here);
  }
  return all;
}

const inPlace: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else']);
