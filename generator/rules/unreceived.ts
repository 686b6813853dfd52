import type { Contract } from '../contract/contract.ts';
import { listFirst, quote } from '../diagnostics/quote.ts';
import type { Documents } from '../documents/documents.ts';
import { cursorAt, placesOf } from '../documents/places.ts';
import { type Pointer, pointerMembers } from '../json/pointer.ts';
import { messagePlaces, replyPlaces } from '../specification/message-place.ts';
import { callbackPlaces, operationPlaces } from '../specification/operation-places.ts';
import { isReference, type Place } from '../specification/walk.ts';
import { isMessage } from './messages.ts';
import type { ContractRule, Finding } from './rule.ts';

/**
 * Reports what looks like a notification and gets no receiver: messages that only the integrator sends, and callbacks
 * and messages that nothing uses. It is a warning if the contract has no notification at all.
 */
export const unreceived: ContractRule = {
  codes: ['unreceived-notifications'],
  check({ contract, documents }) {
    const severity = contract.notifications.length === 0 ? 'warning' : 'info';
    const findings = [
      ...sentByIntegrator(contract, documents),
      ...unused(documents, unusedCallbacks(documents), 'callback', helpForCallbacks),
      ...unused(documents, unusedMessages(documents), 'message', helpForMessages),
    ];
    return findings.map((finding) => ({ ...finding, severity }));
  },
};

const helpForCallbacks =
  'Refer to the callback in `callbacks` of the operation that leads to it, or move its path item to `webhooks` (`x-webhooks` in OpenAPI 3.0).';

const helpForMessages =
  'Add the message to a channel, and an operation with `action: send` for this channel. A schema in `components/schemas` has a type without that.';

/** Reports the HTTP messages of a contract without notifications that the integrator sends, if there are any. */
function sentByIntegrator(contract: Contract, documents: Documents): readonly Finding[] {
  if (contract.notifications.length > 0) return [];
  const sent = contract.messages.filter(
    ({ from, isReply, protocols }) =>
      from === 'integrator' && !isReply && protocols.includes('http'),
  );
  const [first] = sent;
  if (first === undefined) return [];
  const operation = cursorAt(documents, 'asyncapi#').child('operations', first.operation).follow();
  const perspective = operation.text('action') === 'send' ? 'service' : 'integrator';
  const names = listFirst(sent.map(({ id }) => quote(id)));
  return [
    {
      pointer: operation.pointer,
      message: `The integrator sends every HTTP message of the document (${names}): they get types and validators, but no receiver.`,
      help: `If your application receives them, set \`perspective: '${perspective}'\`: the document is written from the side of its own application.`,
    },
  ];
}

/** Reports all unused parts of a kind together, at the first one. */
function unused(
  documents: Documents,
  places: readonly Place[],
  noun: string,
  help: string,
): readonly Finding[] {
  const [first] = places;
  if (first === undefined) return [];
  const names = [...new Set(places.map(({ pointer }) => pointerMembers(pointer).at(-1) ?? ''))];
  const subject = names.length === 1 ? `The ${noun}` : `The ${noun}s`;
  const verb = names.length === 1 ? 'is' : 'are';
  return [
    {
      pointer: first.pointer,
      message: `${subject} ${listFirst(names.map(quote))} ${verb} used by no operation, so nothing receives ${names.length === 1 ? 'it' : 'them'}.`,
      help,
    },
  ];
}

/** Returns the callbacks that no call and no webhook leads to. */
function unusedCallbacks(documents: Documents): readonly Place[] {
  const openapi = cursorAt(documents, 'openapi#');
  const places = ['paths', 'webhooks', 'x-webhooks'].flatMap((member) =>
    operationPlaces(openapi.child(member)),
  );
  const used = new Set(callbackPlaces(places).map(({ operation }) => operation.pointer));
  return placesOf(documents, 'callback').filter((place) => {
    if (isReference(place)) return false;
    const inside = operationPlaces(place);
    return inside.length > 0 && !inside.some(({ operation }) => used.has(operation.pointer));
  });
}

/** Returns the messages that no operation has, neither in its channel nor in its reply. */
function unusedMessages(documents: Documents): readonly Place[] {
  const root = cursorAt(documents, 'asyncapi#');
  const used = new Set<Pointer>(
    ['send', 'receive'].flatMap((action) =>
      [...messagePlaces(root, action), ...replyPlaces(root, action)].map(
        ({ message }) => message.pointer,
      ),
    ),
  );
  return placesOf(documents, 'message').filter(
    (place) =>
      isMessage(place) &&
      place.pointer.startsWith('asyncapi#') &&
      place.valueIn('payload') !== undefined &&
      !used.has(place.pointer),
  );
}
