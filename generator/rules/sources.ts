import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { isJsonObject } from '../json/json.ts';
import { type Cursor, child, entries, follow, items, text } from '../json/cursor.ts';
import { vocabularyDocuments } from '../load/declared-vocabulary.ts';
import { isTrait } from './messages.ts';
import type { Rule } from './rule.ts';
import { diagnose } from '../load/diagnose.ts';
import { quote } from '../diagnostics/quote.ts';
import { type Place, isReference } from '../specification/walk.ts';
import { placesOf, rootsOf } from '../load/places.ts';

/**
 * Checks that a contract with a source document cites it on every operation, parameter, header, message, security
 * scheme and property. Reference Objects need no citation, because their targets have one.
 */
export const sources: Rule = {
  name: 'sources',
  codes: ['missing-source'],
  *check({ documents }): Iterable<Diagnostic> {
    const declaring = vocabularyDocuments(documents);
    const name = rootsOf(documents)
      .filter(({ pointer }) => declaring.some((document) => pointer.startsWith(document)))
      .map((root) => text(child(root, 'info', 'x-source-document')))
      .find((document) => document !== undefined);
    if (name === undefined) return;
    for (const place of placesOf(documents)) {
      for (const [what, at] of factsOf(place)) {
        if (child(at, 'x-source').value !== undefined) continue;
        yield diagnose(
          documents,
          'missing-source',
          at.pointer,
          `${what} cites no section of ${quote(name)}.`,
          isReference(at) ? besideReference : undefined,
        );
      }
    }
  },
};

const besideReference =
  'Write the reference as `allOf: [{ $ref: … }]` with `x-source` beside it: members beside a bare `$ref` are lost.';

/** Returns the objects at a place that need a citation, each with a description for the message. */
function factsOf(place: Place): readonly (readonly [string, Cursor])[] {
  if (place.kind === 'schema') {
    return citedProperties(place).map(([name, at]) => [`The property ${quote(name)}`, at]);
  }
  const words = nouns.get(place.kind);
  if (words === undefined || isReference(place) || isTrait(place)) return [];
  return [[`The ${words} ${quote(nameOf(place))}`, place]];
}

const nouns: ReadonlyMap<Place['kind'], string> = new Map([
  ['operation', 'operation'],
  ['parameter', 'parameter'],
  ['header', 'header'],
  ['message', 'message'],
  ['security-scheme', 'security scheme'],
]);

function nameOf(place: Place): string {
  return text(child(place, 'operationId')) ?? text(child(place, 'name')) ?? place.key;
}

/**
 * Returns the properties of a schema that need a citation. A property that only restricts one cited by an enclosing
 * schema needs none.
 */
function citedProperties(schema: Place): readonly (readonly [string, Cursor])[] {
  const properties = entries(child(schema, 'properties'));
  if (properties.length === 0) return [];
  const enclosing: Place[] = [];
  for (let here = schema; here.parent?.kind === 'schema'; here = here.parent) {
    if (here.member === 'not' || here.member === 'if') return [];
    if (!inPlace.has(here.member)) break;
    enclosing.push(here.parent);
  }
  return properties.filter(
    ([name]) => !enclosing.some((outer) => citesElsewhere(outer, name, schema)),
  );
}

/** Keywords whose subschemas apply to the same value as the schema around them. */
const inPlace: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'then',
  'else',
  'dependentSchemas',
]);

function citesElsewhere(outer: Cursor, name: string, besides: Cursor): boolean {
  const seen = new Set<unknown>([besides.value]);
  const stack: Cursor[] = [outer];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const at = follow(next);
    if (!isJsonObject(at.value) || seen.has(at.value)) continue;
    seen.add(at.value);
    if (child(at, 'properties', name, 'x-source').value !== undefined) return true;
    for (const part of items(child(at, 'allOf'))) stack.push(part);
  }
  return false;
}
