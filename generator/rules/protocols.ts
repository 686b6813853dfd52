import { listFirst, quote } from '../diagnostics/quote.ts';
import { pointerMembers } from '../json/pointer.ts';
import { cursorAt } from '../documents/places.ts';
import { messagePlaces, type MessagePlace, replyPlaces } from '../specification/message-place.ts';
import { isHttpRequest } from '../specification/protocols.ts';
import type { Rule } from './rule.ts';

/**
 * Reports the channels whose messages no receiver takes: once for each combination of protocols without HTTP, and once
 * for each reason why their receiver opens a connection.
 */
export const protocols: Rule = {
  codes: ['other-protocol'],
  *check({ documents }) {
    const root = cursorAt(documents, 'asyncapi#');
    const places = ['send', 'receive'].flatMap((action) => [
      ...messagePlaces(root, action),
      ...replyPlaces(root, action),
    ]);
    const placesWithoutHttp = places.filter((place) => !isHttpRequest(place.protocols));
    const groups = Map.groupBy(
      placesWithoutHttp,
      ({ protocols: { names, connection = '' } }) => `${connection} ${names.join(' or ')}`,
    );
    for (const group of groups.values()) {
      const [first] = group;
      if (first === undefined) continue;
      const channels = [...new Set(group.map(channelName))];
      const noun = channels.length === 1 ? 'channel' : 'channels';
      const named = `${noun} ${listFirst(channels.map(quote))}`;
      const { names, connection, declaredAt } = first.protocols;
      const { pointer } = declaredAt;
      yield connection === undefined
        ? {
            pointer,
            message: `The protocol of the ${named} is ${names.join(' or ')}, not HTTP: their messages get types and validators, but no receiver.`,
          }
        : {
            pointer,
            message: `The messages of the ${named} arrive over a connection that their receiver opens, because ${connection}: they get types and validators, but no receiver.`,
            help: 'If they are HTTP requests to the receiver, state the method in the operation: `bindings: { http: { method: POST } }`. Otherwise, nothing has to be done.',
          };
    }
  },
};

function channelName({ channel, key }: MessagePlace): string {
  return pointerMembers(channel.pointer).at(-1) ?? key;
}
