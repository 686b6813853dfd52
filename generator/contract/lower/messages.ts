import type { Message } from '../contract.ts';
import type { Cursor } from '../../json/cursor.ts';
import { optional } from '../../json/json.ts';
import {
  type MessagePlace,
  messagePlaces,
  replyPlaces,
} from '../../specification/message-place.ts';
import { isHttpRequest } from '../../specification/protocols.ts';
import { lowerMessageHeadersSchema } from './message-traits.ts';
import { toTypeName } from '../names.ts';
import type { LoweringContext } from './lowering-context.ts';
import { describeMessage } from './notifications.ts';

/**
 * Returns the messages of an AsyncAPI document that are not notifications: those that the integrator sends, those of
 * protocols other than HTTP, and replies.
 * @param action the action of operations whose messages the integrator receives
 */
export function lowerOtherMessages(
  root: Cursor,
  action: 'send' | 'receive',
  context: LoweringContext,
): readonly Message[] {
  const other = action === 'send' ? 'receive' : 'send';
  const received = messagePlaces(root, action).filter(({ protocols }) => !isHttpRequest(protocols));
  const lower = (
    places: readonly MessagePlace[],
    from: Message['from'],
    isReply: boolean,
  ): readonly Message[] =>
    places.map(({ id, ownId, key, message, operation, channel, protocols }) => {
      const typeName = toTypeName(ownId);
      const payload = message.child('payload');
      return {
        kind: 'message',
        pointer: message.pointer,
        ...message.annotations(),
        id,
        operation: key,
        from,
        isReply,
        protocols: protocols.names,
        ...optional('address', channel.text('address')),
        ...describeMessage(message, operation, root),
        ...(payload.value === undefined
          ? {}
          : { payload: context.schemas.nameAt(payload, `${typeName} Payload`) }),
        ...optional('headers', lowerMessageHeadersSchema(message, typeName, context)),
      };
    });
  return [
    ...lower(received, 'service', false),
    ...lower(messagePlaces(root, other), 'integrator', false),
    ...lower(replyPlaces(root, action), 'integrator', true),
    ...lower(replyPlaces(root, other), 'service', true),
  ];
}
