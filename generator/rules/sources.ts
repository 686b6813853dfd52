import type { Cursor } from '../json/cursor.ts';
import { isTrait } from './messages.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { type Place, isReference } from '../specification/walk.ts';
import { placesOf } from '../documents/places.ts';
import { conjunctsAt } from '../schema/visit.ts';
import { enclosingSchemas, isInTest } from './schema-members.ts';
import { sourceDocumentOf } from './source-document.ts';

/**
 * Checks that a contract with a source document cites it on every operation, parameter, header, message, security
 * scheme and property. Reference Objects need no citation, because their targets have one.
 */
export const sources: Rule = {
  codes: ['missing-source'],
  *check({ documents }) {
    const name = sourceDocumentOf(documents);
    if (name === undefined) return;
    for (const place of placesOf(documents)) {
      for (const [what, at] of citedObjects(place)) {
        if (at.valueIn('x-source') !== undefined) continue;
        yield {
          pointer: at.pointer,
          message: `${what} cites no section of ${quote(name)}.`,
          help: isReference(at) ? besideReference : undefined,
        };
      }
    }
  },
};

const besideReference =
  'Write the reference as `allOf: [{ $ref: … }]` with `x-source` beside it: members beside a bare `$ref` are ignored.';

/** Returns the objects at a place that need a citation, each with a description for the message. */
function citedObjects(place: Place): readonly (readonly [string, Cursor])[] {
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
  return place.text('operationId') ?? place.text('name') ?? place.key;
}

/**
 * Returns the properties of a schema that need a citation. A property that only restricts one cited by an enclosing
 * schema needs none.
 */
function citedProperties(schema: Place): readonly (readonly [string, Cursor])[] {
  const properties = schema.entries('properties');
  if (properties.length === 0) return [];
  if (isInTest(schema)) return [];
  const enclosing = enclosingSchemas(schema).filter((outer) => outer !== schema);
  return properties.filter(
    ([name]) => !enclosing.some((outer) => citesMember(outer, name, schema)),
  );
}

/** Returns whether a schema, other than the given one, cites a source for a member. */
function citesMember(outer: Cursor, name: string, { value }: Cursor): boolean {
  return conjunctsAt(outer).some(
    (at) => at.value !== value && at.valueIn('properties', name, 'x-source') !== undefined,
  );
}
