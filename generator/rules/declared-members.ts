import type { Documents } from '../documents/documents.ts';
import { pointerDocument, pointerMembers } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import { vocabularyPlaces } from '../documents/declared-vocabulary.ts';
import { expressionsAt } from './expressions.ts';
import { contentSchemas, isMessage, payloadsOf } from './messages.ts';
import type { Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { allLack } from './schema-members.ts';
import { unstatedEntries } from '../documents/unstated-entries.ts';
import type { Place } from '../specification/walk.ts';
import { placesOf } from '../documents/places.ts';

/**
 * Checks that each body member named by an expression of the vocabulary is declared. A member that identifies a message
 * or its duplicates, or decides its order, must be in the payload of the message. One that has to be absent must be in some payload of the
 * contract. One that belongs to an access token must be in a response of the operation that issues it.
 */
export const declaredMembers: Rule = {
  codes: ['undeclared-name'],
  *check({ documents }) {
    const ledger = unstatedEntries(documents);
    const payloads = placesOf(documents).filter(isMessage).map(payloadsOf);
    const answers = new Map<string, boolean>();
    const nobodyHas = (target: string): boolean => {
      const answer =
        answers.get(target) ??
        payloads.every((schemas) => allLack(schemas, pointerMembers(target)));
      answers.set(target, answer);
      return answer;
    };
    for (const place of vocabularyPlaces(documents)) {
      for (const { expression, pointer, role } of expressionsAt(place, ledger)) {
        // A variant describes another wire format, and a signature applies to every body.
        if (role === 'variant' || role === 'signed') continue;
        const target = bodyMember(expression, role === 'token' ? 'response' : 'request');
        if (target === undefined) continue;
        // Messages can share the choices of a ledger entry, so a choice may name members that only some of them have.
        const isShared = role === 'key' && !pointer.startsWith(`${place.pointer}/`);
        const missing =
          role === 'absence' || isShared
            ? nobodyHas(target)
            : allLack(
                role === 'token' ? tokenResponses(place, documents) : payloadsOf(place),
                pointerMembers(target),
              );
        if (!missing) continue;
        yield {
          pointer,
          message: `${subjects[isShared ? 'absence' : role]} has a member ${quote(target)}.`,
        };
      }
    }
  },
};

const subjects = {
  token: 'No schema of the response that carries the token',
  presence: 'No schema of the payload',
  key: 'No schema of the payload',
  absence: 'No payload of the contract',
} as const;

function bodyMember(expression: string, of: 'request' | 'response'): string | undefined {
  const match = /^\$(?<of>request|response)\.body#(?<path>\/.*)$/s.exec(expression)?.groups;
  return match?.['of'] === of ? match['path'] : undefined;
}

function tokenResponses(scheme: Place, documents: Documents): readonly Cursor[] {
  const id = scheme.text('x-access-token', 'operation');
  const operation = placesOf(documents, 'operation').find(
    (place) => pointerDocument(place.pointer) === 'openapi' && place.text('operationId') === id,
  );
  if (operation === undefined) return [];
  const responses = operation.entries('responses').filter(([status]) => !status.startsWith('x-'));
  // Beside other responses, `default` describes failures.
  return responses
    .filter(
      ([status]) => status.startsWith('2') || (status === 'default' && responses.length === 1),
    )
    .flatMap(([, response]) => contentSchemas(response.follow()));
}
