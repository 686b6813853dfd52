import { listFirst, quote } from '../diagnostics/quote.ts';
import { pointerMembers } from '../json/pointer.ts';
import { cursorAt } from '../load/places.ts';
import { messagePlaces, type MessagePlace, replyPlaces } from '../specification/message-place.ts';
import { isHttp } from '../specification/protocols.ts';
import type { Rule } from './rule.ts';

/** Reports, once for each combination of protocols without HTTP, the channels whose messages no receiver takes. */
export const protocols: Rule = {
  codes: ['other-protocol'],
  *check({ documents }) {
    const root = cursorAt(documents, 'asyncapi#');
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
      const noun = channels.length === 1 ? 'channel' : 'channels';
      const message = `The protocol of the ${noun} ${listFirst(channels.map(quote))} is ${names}, not HTTP: their messages get types and validators, but no receiver.`;
      yield { pointer: first.protocols.declaredAt.pointer, message };
    }
  },
};

function channelName({ channel, key }: MessagePlace): string {
  return pointerMembers(channel.pointer).at(-1) ?? key;
}
