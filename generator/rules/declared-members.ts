import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Documents } from '../load/documents.ts';
import { pointerDocument, pointerMembers } from '../json/pointer.ts';
import { type Cursor, child, entries, follow, text } from '../json/cursor.ts';
import { vocabularyPlaces } from '../load/declared-vocabulary.ts';
import { expressionsAt } from './expressions.ts';
import { contentSchemas, isMessage, payloadsOf } from './messages.ts';
import type { Rule } from './rule.ts';
import { diagnose } from '../load/diagnose.ts';
import { quote } from '../diagnostics/quote.ts';
import { declaresMember } from './schema-members.ts';
import { unstatedEntries } from '../load/unstated-entries.ts';
import type { Place } from '../specification/walk.ts';
import { placesOf } from '../load/places.ts';

/**
 * A member that the vocabulary points at is declared: in the payload of the message that is identified by it, in some
 * payload of the contract where it must be absent, and in the response that carries a token.
 */
export const declaredMembers: Rule = {
  name: 'declared-members',
  codes: ['undeclared-name'],
  *check({ documents }): Iterable<Diagnostic> {
    const ledger = unstatedEntries(documents);
    const payloads = placesOf(documents).filter(isMessage).map(payloadsOf);
    const answers = new Map<string, boolean>();
    const nobodyHas = (target: string): boolean => {
      const answer = answers.get(target) ?? payloads.every((schemas) => lacks(schemas, target));
      answers.set(target, answer);
      return answer;
    };
    for (const place of vocabularyPlaces(documents)) {
      for (const { expression, pointer, role } of expressionsAt(place, ledger)) {
        // A variant's members are those of another wire form, and what is signed belongs to every body.
        if (role === 'variant' || role === 'signed') continue;
        const target = bodyMember(expression, role === 'token' ? 'response' : 'request');
        if (target === undefined) continue;
        const missing =
          role === 'absence'
            ? nobodyHas(target)
            : lacks(
                role === 'token' ? tokenResponses(place, documents) : payloadsOf(place),
                target,
              );
        if (!missing) continue;
        yield diagnose(
          documents,
          'undeclared-name',
          pointer,
          `${subjects[role]} has a member ${quote(target)}.`,
        );
      }
    }
  },
};

const subjects = {
  token: 'No schema of the response that carries the token',
  presence: 'No schema of the payload',
  repeated: 'No schema of the payload',
  absence: 'No payload of the contract',
} as const;

function bodyMember(expression: string, of: 'request' | 'response'): string | undefined {
  const match = /^\$(?<of>request|response)\.body#(?<path>\/.*)$/s.exec(expression)?.groups;
  return match?.['of'] === of ? match['path'] : undefined;
}

/** Several schemas of one body are alternatives: each of them has to lack the member. */
function lacks(schemas: readonly Cursor[], target: string): boolean {
  const path = pointerMembers(target);
  return schemas.length > 0 && schemas.every((schema) => declaresMember([schema], path) === 'no');
}

function tokenResponses(scheme: Place, documents: Documents): readonly Cursor[] {
  const id = text(child(scheme, 'x-access-token', 'operation'));
  const operation = placesOf(documents).find(
    (place) =>
      place.kind === 'operation' &&
      pointerDocument(place.pointer) === 'openapi' &&
      text(child(place, 'operationId')) === id,
  );
  if (operation === undefined) return [];
  return entries(child(operation, 'responses'))
    .filter(([status]) => status.startsWith('2') || status === 'default')
    .flatMap(([, response]) => contentSchemas(follow(response)));
}
