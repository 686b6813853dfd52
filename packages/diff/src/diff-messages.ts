import type { Message } from 'countersign/kit';
import { changesAt, type ContractChange, type ContractPair, type Role } from './change.ts';
import { diffItems, diffValues } from './diff-items.ts';
import { diffNotes } from './diff-notes.ts';
import { diffBodies } from './diff-schemas.ts';

/** Yields the changes of messages that no receiver takes. */
export function* diffMessages(contracts: ContractPair): Generator<ContractChange> {
  const pairs = yield* diffItems(contracts.base.messages, contracts.head.messages, {
    keyOf: ({ operation, id, isReply }) => JSON.stringify([operation, id, isReply]),
    subjectOf,
    rolesOf,
    codes: ['message-added', 'message-removed'],
  });
  for (const [base, head] of pairs) {
    const [subject, roles] = [subjectOf(head), rolesOf(head)];
    const create = changesAt(head.pointer, subject, roles);
    yield* diffNotes(base, head, create);
    yield* diffValues(create, [
      ['message-protocol-changed', 'The protocol', base.protocols, head.protocols],
      ['message-address-changed', 'The address', base.address, head.address],
      ['message-content-type-changed', 'The media type', base.contentType, head.contentType],
    ]);
    for (const part of ['payload', 'headers'] as const) {
      yield* diffBodies(base, head, base[part], head[part], contracts, subject, roles);
    }
  }
}

function rolesOf({ from }: Message): readonly Role[] {
  return [from === 'service' ? 'notification' : 'request'];
}

function subjectOf({ operation, id }: Message): string {
  return `message ${id} of ${operation}`;
}
