import type { Documents } from '../documents/documents.ts';
import { type Pointer, pointerMembers, toPointer } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import { jsonDifference } from '../json/same-json.ts';
import { messagesOf } from '../specification/message-place.ts';
import { payloadsOf } from './messages.ts';
import type { Finding, Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { operationMethods } from '../specification/openapi-grammar.ts';
import { normalizeTemplate } from '../contract/path-template.ts';
import { cursorAt, placesOf } from '../documents/places.ts';

/**
 * Checks that schemas of the same name are equal in both documents, and so are the payloads of the same notification.
 */
export const payloads: Rule = {
  codes: ['payload-mismatch'],
  *check({ documents }) {
    const { openapi, asyncapi } = documents;
    if (openapi === undefined || asyncapi === undefined) return;
    const ours = new Map(cursorAt(documents, 'openapi#/components/schemas').entries());
    for (const [name, theirs] of cursorAt(documents, 'asyncapi#/components/schemas').entries()) {
      const schema = ours.get(name);
      if (schema !== undefined)
        yield* compare(`The schema ${quote(name)}`, schema, theirs, documents);
    }
    yield* compareNotifications(documents);
  },
};

/**
 * Compares the payloads of webhooks and messages that are the same notification: they share the method, if the message
 * has one, and the name or the address.
 */
function* compareNotifications(documents: Documents): Iterable<Finding> {
  const webhooks = placesOf(documents).filter(({ member }) => member === 'webhooks');
  for (const { name, address, method, message } of addressedMessages(documents)) {
    for (const webhook of webhooks) {
      const item = webhook.follow();
      for (const [key, operation] of item.entries()) {
        if (!operationMethods.includes(key) || (method ?? key) !== key) continue;
        const id = operation.text('operationId');
        const sameAddress =
          address !== undefined && normalizeTemplate(webhook.key) === normalizeTemplate(address);
        if (!sameAddress && webhook.key !== name && id !== name) continue;
        const ours = payloadsOf(operation)[0];
        const theirs = payloadsOf(message)[0];
        if (ours === undefined || theirs === undefined) continue;
        yield* compare(`The payload of ${quote(name)}`, ours, theirs, documents);
      }
    }
  }
}

function* compare(
  what: string,
  ours: Cursor,
  theirs: Cursor,
  documents: Documents,
): Iterable<Finding> {
  const path = difference(ours, theirs);
  if (path === undefined) return;
  const { file, line } = documents.locate(toPointer(path.ours, ...path.members));
  const inside = path.members.length === 0 ? '' : ` at ${quote(path.members.join('/'))}`;
  yield {
    pointer: toPointer(path.theirs, ...path.members),
    message: `${what} differs from that of the OpenAPI document${inside} (${file}:${line}).`,
  };
}

interface Difference {
  readonly ours: Pointer;
  readonly theirs: Pointer;
  readonly members: readonly string[];
}

/**
 * Returns the first difference between two schemas. References with the same name are equal. If only one schema is a
 * reference, its target is compared.
 */
function difference(ours: Cursor, theirs: Cursor): Difference | undefined {
  if (jsonDifference(ours.value, theirs.value) === undefined) return undefined;
  const [left, right] = [ours.follow(), theirs.follow()];
  if (left.value === undefined || right.value === undefined) return undefined;
  const members = jsonDifference(left.value, right.value);
  return members && { ours: left.pointer, theirs: right.pointer, members };
}

interface AddressedMessage {
  readonly name: string;
  readonly address: string | undefined;
  readonly method: string | undefined;
  readonly message: Cursor;
}

function addressedMessages(documents: Documents): readonly AddressedMessage[] {
  return cursorAt(documents, 'asyncapi#/operations')
    .entries()
    .flatMap(([, entry]) => {
      const operation = entry.follow();
      const channel = operation.child('channel').follow();
      const address = channel.text('address');
      const binding = operation.child('bindings').follow().child('http');
      const method = binding.text('method')?.toLowerCase();
      return messagesOf(operation, channel).map((reference) => {
        const message = reference.follow();
        return { name: pointerMembers(message.pointer).at(-1) ?? '', address, method, message };
      });
    });
}
