import { listFirst, quote } from '../diagnostics/quote.ts';
import { pointerMembers } from '../json/pointer.ts';
import { cursorAt } from '../documents/places.ts';
import { messagePlaces, type MessagePlace, replyPlaces } from '../specification/message-place.ts';
import { isHttpRequest } from '../specification/protocols.ts';
import type { Rule } from './rule.ts';

/**
 * Reports the channels whose messages no receiver takes: once for each combination of protocols without HTTP, and once
 * for each reason why their receiver opens a connection. Also reports those whose messages are received because no
 * protocol is declared, although their address is no path.
 */
export const protocols: Rule = {
  codes: ['other-protocol', 'assumed-protocol'],
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
      const named = nameChannels(group);
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
            help: 'If they are HTTP requests to the receiver, declare the method in the operation: `bindings: { http: { method: POST } }`. Otherwise, nothing has to be done.',
          };
    }
    const assumed = messagePlaces(root, 'send').filter(
      ({ channel, protocols: { isAssumed } }) =>
        isAssumed === true && /^[^/]/u.test(channel.text('address') ?? ''),
    );
    const [first] = assumed;
    if (first !== undefined)
      yield {
        code: 'assumed-protocol',
        pointer: first.channel.pointer,
        message: `No server and no binding declares the protocol of the messages of the ${nameChannels(assumed)}: they are received as HTTP requests.`,
      };
  },
};

function nameChannels(places: readonly MessagePlace[]): string {
  const channels = [...new Set(places.map(channelName))];
  return `${channels.length === 1 ? 'channel' : 'channels'} ${listFirst(channels.map(quote))}`;
}

function channelName({ channel, key }: MessagePlace): string {
  return pointerMembers(channel.pointer).at(-1) ?? key;
}
