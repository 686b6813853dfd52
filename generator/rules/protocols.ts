import { quote } from '../diagnostics/quote.ts';
import { pointerMembers } from '../json/pointer.ts';
import { toCursor } from '../json/cursor.ts';
import { messagePlaces, type MessagePlace, replyPlaces } from '../specification/message-place.ts';
import { isHttp } from '../specification/protocols.ts';
import type { Rule } from './rule.ts';

/** Reports, once for each combination of protocols without HTTP, the channels whose messages no receiver takes. */
export const protocols: Rule = {
  codes: ['other-protocol'],
  *check({ documents }) {
    if (documents.asyncapi === undefined) return;
    const root = toCursor(documents.asyncapi.root, 'asyncapi');
    const places = ['send', 'receive'].flatMap((action) => [
      ...messagePlaces(root, action),
      ...replyPlaces(root, action),
    ]);
    const others = places.filter((place) => !isHttp(place.protocols.names));
    const groups = Map.groupBy(others, (place) => place.protocols.names.join(' or '));
    for (const [names, group] of groups) {
      const [first] = group;
      if (first === undefined) continue;
      const channels = [...new Set(group.map(channelName))];
      const shown = channels.slice(0, 10).map((name) => quote(name));
      const more =
        channels.length > shown.length ? ` and ${channels.length - shown.length} more` : '';
      yield {
        pointer: first.protocols.declaredAt.pointer,
        message: `The protocol of ${channels.length === 1 ? 'the channel' : 'the channels'} ${shown.join(', ')}${more} is ${names}, not HTTP: their messages get types and validators, but no receiver.`,
      };
    }
  },
};

function channelName({ channel, key }: MessagePlace): string {
  return pointerMembers(channel.pointer).at(-1) ?? key;
}
