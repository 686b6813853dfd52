import type { Cursor } from '../../../json/cursor.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { type Place, isReference } from '../../../specification/walk.ts';
import { placesOf } from '../../../documents/places.ts';
import type { LintRule } from '../rule.ts';
import { sourceDocumentOf } from '../../../rules/source-document.ts';

/**
 * Reports facts without `x-source` in a contract that names a source document. Covers the facts that `generate` does
 * not require a citation for: named schemas, responses, servers, channel addresses and wire variants.
 */
export const citations: LintRule = {
  codes: ['uncited-fact'],
  *check({ documents }) {
    const source = sourceDocumentOf(documents);
    if (source === undefined) return;
    for (const place of placesOf(documents)) {
      for (const [what, at] of factsOf(place)) {
        if (at.valueIn('x-source') !== undefined) continue;
        const message = `${what} cites no section of ${quote(source)}.`;
        yield { pointer: at.pointer, message };
      }
    }
  },
};

/** Returns the facts that a place states, each with its description for a message. */
function factsOf(place: Place): readonly (readonly [string, Cursor])[] {
  if (isReference(place)) return [];
  switch (place.kind) {
    case 'schema': {
      const isNamed = place.parent?.kind === 'components';
      const schemaFacts = isNamed ? [[`The schema ${quote(place.key)}`, place] as const] : [];
      const forms = place.entries('x-variants');
      return [
        ...schemaFacts,
        ...forms.map(([name, at]) => [`The variant ${quote(name)}`, at] as const),
      ];
    }
    case 'response':
      return [[`The response ${quote(place.key)}`, place]];
    case 'server':
      return [[`The server ${quote(place.text('url') ?? place.key)}`, place]];
    case 'channel':
      return place.text('address') === undefined
        ? []
        : [[`The address of the channel ${quote(place.key)}`, place]];
    default:
      return [];
  }
}
