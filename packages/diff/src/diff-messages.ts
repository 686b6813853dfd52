import { pointerMembers, toCanonical } from 'countersign/companion/values';
import type { Message } from 'countersign/kit';
import {
  changesAt,
  type Comparison,
  concerning,
  type ContractChange,
  inBoth,
  type Role,
} from './change.ts';
import { diffItems, diffValues, pairByEach } from './diff-items.ts';
import { diffNotes } from './diff-notes.ts';
import { schemaNamed, useSchemas } from './diff-schemas.ts';

/** Yields the changes of messages that no receiver takes. */
export function* diffMessages(contracts: Comparison): Generator<ContractChange> {
  const { pairs, added, removed } = pairByEach(contracts.base.messages, contracts.head.messages, [
    ({ pointer, operation, isReply }) => toCanonical([pointer, operation, isReply]),
    ({ operation, id, isReply }) => toCanonical([operation, id, isReply]),
    // An operation with another name sends the same message to the same address.
    ({ address, from, isReply, pointer }) =>
      address === undefined
        ? undefined
        : toCanonical([address, from, isReply, pointerMembers(pointer).at(-1)]),
  ]);
  yield* diffItems(removed, added, {
    keyOf: () => undefined,
    subjectOf,
    rolesOf,
    codes: ['message-added', 'message-removed'],
  });
  for (const [base, head] of pairs)
    yield* concerning(subjectOf(head), diffMessage(base, head, contracts));
}

function* diffMessage(
  base: Message,
  head: Message,
  contracts: Comparison,
): Generator<ContractChange> {
  const [subject, roles] = [subjectOf(head), rolesOf(head)];
  const create = changesAt(inBoth(base, head), subject, roles);
  yield* diffNotes(base, head, create);
  yield* diffValues(create, [
    ['message-protocol-changed', 'The protocol', base.protocols, head.protocols],
    ['message-address-changed', 'The address', base.address, head.address],
    ['message-content-type-changed', 'The media type', base.contentType, head.contentType],
  ]);
  for (const part of ['payload', 'headers'] as const) {
    if (base[part] === undefined && head[part] === undefined) continue;
    const [was, is] = [
      schemaNamed(base[part], base.pointer),
      schemaNamed(head[part], head.pointer),
    ];
    for (const role of roles)
      useSchemas(contracts, was, is, { role, by: subject, part: `${subject}, ${part}` });
  }
}

function rolesOf({ from }: Message): readonly Role[] {
  return [from === 'service' ? 'notification' : 'request'];
}

function subjectOf({ operation, id }: Message): string {
  return `message ${id} of ${operation}`;
}
