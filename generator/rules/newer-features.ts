import type { Cursor } from '../json/cursor.ts';
import type { Place } from '../specification/walk.ts';
import { placesOf } from '../load/places.ts';
import { pointerMembers } from '../json/pointer.ts';
import { sequenceOf } from '../contract/lower/sequences.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';

/** Reports the OpenAPI 3.2 features for which no code is generated. */
export const newerFeatures: Rule = {
  codes: ['unsupported-feature'],
  *check({ documents }) {
    if (documents.openapi?.version.startsWith('3.2') !== true) return;
    for (const place of placesOf(documents)) {
      for (const [at, message] of featuresOf(place)) {
        yield { pointer: at.pointer, message };
      }
    }
  },
};

function featuresOf(place: Place): readonly (readonly [Cursor, string])[] {
  const having = (member: string, message: string): readonly (readonly [Cursor, string])[] => {
    const at = place.child(member);
    return at.value === undefined ? [] : [[at, message]];
  };
  switch (place.kind) {
    case 'document':
      return having('$self', 'References are resolved against the file, not against `$self`.');
    case 'path-item':
      return place
        .entries('additionalOperations')
        .map(([method, at]) => [
          at,
          `The operation ${quote(method)} in \`additionalOperations\` is ignored.`,
        ]);
    case 'parameter':
      return place.text('in') === 'querystring'
        ? [[place.child('in'), 'A parameter in `querystring` is not sent.']]
        : [];
    case 'media-type':
      return isReadAsSequence(place)
        ? []
        : having('itemSchema', 'The items of this media type are not typed and not validated.');
    case 'discriminator':
      return having('defaultMapping', 'A value without a discriminator can match any alternative.');
    default:
      return [];
  }
}

/** Returns whether generated clients read a media type as a sequence: in responses, those of JSON lines or events. */
function isReadAsSequence({ pointer }: Place): boolean {
  const members = pointerMembers(pointer);
  const isSent = members.includes('requestBody') || members[1] === 'requestBodies';
  return !isSent && sequenceOf(members.at(-1) ?? '') !== undefined;
}
