import type { Cursor } from '../json/cursor.ts';
import type { Place } from '../specification/walk.ts';
import { placesOf } from '../documents/places.ts';
import { pointerMembers } from '../json/pointer.ts';
import { mappingTarget } from '../schema/discriminator-values.ts';
import { isSequence } from '../contract/media-types.ts';
import { kindOf } from '../specification/media-type.ts';
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
      return leadsToAlternative(place)
        ? []
        : having(
            'defaultMapping',
            'It leads to none of the alternatives, so a value without a discriminator can match any of them.',
          );
    default:
      return [];
  }
}

/** Returns whether `defaultMapping` leads to an alternative of its union, or in a schema without one, to a schema. */
function leadsToAlternative(discriminator: Place): boolean {
  const target = mappingTarget(discriminator.child('defaultMapping'));
  const schema = discriminator.parent;
  if (target?.value === undefined || schema === undefined) return false;
  const alternatives = ['oneOf', 'anyOf'].flatMap((keyword) => schema.items(keyword));
  const isTarget = (at: Cursor): boolean => at.follow().pointer === target.pointer;
  return alternatives.length === 0 || alternatives.some(isTarget);
}

/** Returns whether generated clients read a media type as a sequence: in responses, those of JSON lines or events. */
function isReadAsSequence({ pointer }: Place): boolean {
  const members = pointerMembers(pointer);
  const isSent = members.includes('requestBody') || members[1] === 'requestBodies';
  return !isSent && isSequence(kindOf(members.at(-1) ?? ''));
}
