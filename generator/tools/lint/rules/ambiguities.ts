import type { Contract, Notification } from '../../../contract/contract.ts';
import { cursorAt } from '../../../documents/places.ts';
import { vocabularyDocuments } from '../../../documents/declared-vocabulary.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { helpToExclude } from '../../../rules/excluding-condition.ts';
import { ambiguousGroups, listShortly } from '../../../rules/notifications.ts';
import { schemasAt } from '../../../rules/schema-members.ts';
import { unstatedEntries } from '../../../documents/unstated-entries.ts';
import type { Documents } from '../../../documents/documents.ts';
import { type Pointer, pointerDocument, pointerMembers } from '../../../json/pointer.ts';
import type { ContractLintRule } from '../rule.ts';

/**
 * Reports groups of notifications that can match the same delivery if no ledger entry covers the ambiguity. The entry
 * must be on one of the messages, or on the schema of a value that their conditions check.
 */
export const ambiguities: ContractLintRule = {
  codes: ['unanswered-ambiguity'],
  *check({ contract, documents }) {
    const declared = vocabularyDocuments(documents);
    const isDeclared = ({ pointer }: Notification): boolean =>
      declared.includes(pointerDocument(pointer));
    const asked = questionPlaces(contract, documents);
    const questioned = new Set(
      contract.notifications.filter((notification) =>
        placesOfQuestion(notification, contract, documents).some((place) => asked.has(place)),
      ),
    );
    const open = contract.notifications.filter((notification) => !questioned.has(notification));
    // A group is reported at its first notification, which must be in a document that declares the vocabulary.
    const declaredFirst = open.toSorted((a, b) => Number(isDeclared(b)) - Number(isDeclared(a)));
    for (const [first, later] of ambiguousGroups(declaredFirst)) {
      if (!isDeclared(first)) continue;
      const { id, pointer } = first;
      const names = [id, ...later.map((other) => other.id)].map(quote);
      const message = `One delivery can be ${listShortly(names)}, and no ledger entry records the question.`;
      const condition = helpToExclude([first, ...later], contract);
      yield { pointer, message, help: condition && `${condition}\n\n${ledgerHelp}` };
    }
  },
};

const ledgerHelp =
  'If the source document does not say it, add the question to `x-unstated` on one of the messages.';

/**
 * Returns the places with ledger entries about the meaning of the contract. Excludes entries that stand for a missing
 * value, because their question is that value.
 */
function questionPlaces({ unstated }: Contract, documents: Documents): ReadonlySet<Pointer> {
  const inUse = new Set(unstated.filter(({ usedBy }) => usedBy.length > 0).map(({ id }) => id));
  return new Set(
    unstatedEntries(documents)
      .filter(({ id }) => !inUse.has(id))
      .map(({ at }) => at.pointer.slice(0, at.pointer.lastIndexOf('/x-unstated/')) as Pointer),
  );
}

/**
 * Returns the places where a ledger entry covers an ambiguity of a notification: its message, and the schemas of the
 * values that its conditions check.
 */
function placesOfQuestion(
  { pointer, payload, identifiedBy }: Notification,
  { schemas }: Contract,
  documents: Documents,
): readonly Pointer[] {
  const body = schemas.find(({ name }) => name === payload)?.pointer;
  if (body === undefined) return [pointer];
  const schema = cursorAt(documents, body);
  const paths = identifiedBy
    .flat()
    .flatMap(({ expression }) => /^\$request\.body#(\/.*)$/su.exec(expression)?.slice(1) ?? []);
  // A value that only contains other checked values does not decide anything itself.
  const decisive = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
  return [pointer].concat(
    decisive.flatMap((path) =>
      schemasAt([schema], pointerMembers(path)).map((part) => part.pointer),
    ),
  );
}
