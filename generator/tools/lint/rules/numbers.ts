import { type Cursor, child, follow, items, text, texts } from '../../../json/cursor.ts';
import type { Place } from '../../../specification/walk.ts';
import { placesOf } from '../../../load/places.ts';
import { quote } from '../../../diagnostics/quote.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { type LintRule, find } from '../rule.ts';

/**
 * A number with decimals says how fine or how large it can be. JavaScript keeps it as a binary float, in which an
 * amount is exact only up to some 15 digits; without a step or a bound nobody can tell whether it is.
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

/** Under `not` and `if` a schema asks what a value is; it does not say so. */
function isInQuestion(place: Place): boolean {
  for (let here: Place | undefined = place; here?.kind === 'schema'; here = here.parent) {
    if (here.member === 'not' || here.member === 'if') return true;
  }
  return false;
}

/** The schema, those around it that speak of the same value, and what they are put together of. */
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
