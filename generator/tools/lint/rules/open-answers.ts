import type { Contract, SecurityScheme, Unstated } from '../../../contract/contract.ts';
import { unstatedId } from '../../../contract/unstated-id.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { isJsonObject, type Json } from '../../../json/json.ts';
import { type Pointer, pointerDocument, pointerMembers, toPointer } from '../../../json/pointer.ts';
import { isSameJson } from '../../../json/same-json.ts';
import type { Documents, PendingAction } from '../../../documents/documents.ts';
import { cursorAt, placeAt } from '../../../documents/places.ts';
import type { ObjectKind } from '../../../specification/object-grammar.ts';
import type { ContractLintRule, LintFinding } from '../rule.ts';

/**
 * Reports standard keywords that state one answer to an open ledger entry, which does not assume that answer. Other
 * tools read such a keyword as a fact. Finds three forms:
 * - the scheme of an `http` security scheme, such as `bearer`, where a choice for the value of `x-access-token` has
 *   another prefix;
 * - a keyword that already has what the actions of a choice would write;
 * - a keyword that a choice would remove or replace, if the entry assumes nothing.
 * An address or an HTTP method is not a finding: the published documents have a note with the entry at each.
 */
export const openAnswers: ContractLintRule = {
  codes: ['answer-although-open'],
  *check({ contract, documents }) {
    for (const scheme of contract.security) yield* checkScheme(scheme, contract);
    const pending = Map.groupBy(documents.pendingActions ?? [], ({ id }) => id);
    for (const entry of contract.unstated) {
      const actionsByChoice = Map.groupBy(pending.get(entry.id) ?? [], ({ choice }) => choice);
      for (const [name, actions] of actionsByChoice) {
        if (name === entry.assumed) continue;
        const stated = statedPlace(actions, documents);
        if (stated !== undefined)
          yield find(stated, `already states the answer ${quote(name)}`, entry);
        if (entry.assumed !== undefined) continue;
        for (const denied of deniedPlaces(actions, documents))
          yield find(denied, `contradicts the answer ${quote(name)}`, entry);
      }
    }
  },
};

function find(pointer: Pointer, what: string, { id }: Unstated): LintFinding {
  const keyword = quote(pointerMembers(pointer).at(-1) ?? '');
  return { pointer, message: `${keyword} ${what} to ${quote(id)}, which is open.` };
}

function* checkScheme(
  { type, httpScheme = '', accessToken, pointer }: SecurityScheme,
  { unstated }: Contract,
): Generator<LintFinding> {
  const entry = unstated.find(({ id }) => id === unstatedId(accessToken?.value));
  if (type !== 'http' || entry === undefined) return;
  const contradictingChoices = entry.choices.filter(
    ({ value }) => !(typeof value === 'string' && hasPrefix(value, httpScheme)),
  );
  const [contradictingChoice] = contradictingChoices;
  const isAssumed = contradictingChoices.some(({ name }) => name === entry.assumed);
  if (contradictingChoice === undefined || (entry.assumed !== undefined && !isAssumed)) return;
  const what = `contradicts the answer ${quote(contradictingChoice.name)}`;
  yield find(toPointer(pointer, 'scheme'), what, entry);
}

function hasPrefix(value: string, scheme: string): boolean {
  return value.toLowerCase().startsWith(`${scheme.toLowerCase()} `);
}

/** Returns a keyword that the actions would write, if the document already has everything that they would write. */
function statedPlace(actions: readonly PendingAction[], documents: Documents): Pointer | undefined {
  const writes = actions.flatMap(({ targets, update }) =>
    targets.map((target) => ({ target, update })),
  );
  const isStated = writes.every(
    ({ target, update }) =>
      update !== undefined && contains(cursorAt(documents, target).value, update),
  );
  if (!isStated) return undefined;
  const keywords = writes.flatMap(({ target, update }) =>
    isJsonObject(update) ? Object.keys(update).map((key) => toPointer(target, key)) : [],
  );
  return keywords.find((place) => isAsserting(place, documents));
}

/** Returns whether a value equals the result of merging an update into it. */
function contains(value: Json | undefined, update: Json): boolean {
  if (Array.isArray(update) && Array.isArray(value)) {
    const items: readonly Json[] = value;
    return update.every((item: Json) => items.some((element) => isSameJson(element, item)));
  }
  if (!isJsonObject(update) || !isJsonObject(value)) return isSameJson(value, update);
  return Object.entries(update).every(
    ([member, memberUpdate]) => memberUpdate === undefined || contains(value[member], memberUpdate),
  );
}

/** Keywords that an answer can replace by a stricter value. */
const limits = /^(?:pattern|multipleOf|(?:exclusive)?(?:min|max)\w*)$/iu;

/** Keywords that accept every reading if they are `true`. Others, such as `uniqueItems`, do if they are `false`. */
const permissions = /^(?:additionalProperties|unevaluated\w+|nullable|allow\w+)$/u;

/** Returns whether a keyword accepts every answer, each of which can only be stricter. */
function acceptsAll(keyword: string, value: Json | undefined): boolean {
  return limits.test(keyword) || value === permissions.test(keyword);
}

/**
 * Returns the keywords that the actions would remove, except where they write others to the same object, and the
 * keywords whose value they would replace.
 */
function deniedPlaces(actions: readonly PendingAction[], documents: Documents): readonly Pointer[] {
  const removed = actions.filter(({ update }) => update === undefined);
  const updated = actions.filter(({ update }) => isJsonObject(update));
  const changed = new Set(updated.flatMap(({ targets }) => targets));
  const places = [
    ...removed.flatMap(({ targets }) => targets.filter((place) => !changed.has(parentOf(place)))),
    ...updated.flatMap(({ targets, update }) =>
      targets.flatMap((target) =>
        Object.entries(isJsonObject(update) ? update : {}).flatMap(([key, to]) => {
          const { value } = cursorAt(documents, toPointer(target, key));
          const isReplaced =
            isScalar(value) && isScalar(to) && value !== to && !acceptsAll(key, value);
          return isReplaced ? [toPointer(target, key)] : [];
        }),
      ),
    ),
  ];
  return places.filter((place) => isAsserting(place, documents));
}

function isScalar(value: Json | undefined): boolean {
  return value !== undefined && (typeof value !== 'object' || value === null);
}

function parentOf(place: Pointer): Pointer {
  return toPointer(`${pointerDocument(place)}#`, ...pointerMembers(place).slice(0, -1));
}

/** The members of objects that assert nothing about a message. */
const annotations: ReadonlySet<string> = new Set(
  [
    'title name summary description externalDocs tags deprecated operationId $comment',
    'example examples default readOnly writeOnly',
  ].flatMap((keywords) => keywords.split(' ')),
);

/** The objects whose members are the label of a notification, or describe something else than a message. */
const labelKinds: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  'channel',
  'bindings',
  'binding',
  'document',
  'info',
  'contact',
  'license',
  'tag',
  'components',
  'example',
]);

/** Returns whether a place is a standard keyword, of an object of its specification, that asserts something. */
function isAsserting(place: Pointer, documents: Documents): boolean {
  const keyword = pointerMembers(place).at(-1) ?? '';
  if (keyword.startsWith('x-') || annotations.has(keyword)) return false;
  const parent = parentOf(place);
  const holder = placeAt(documents, parent);
  if (holder === undefined || labelKinds.has(holder.kind)) return false;
  return !(holder.kind === 'operation' && keyword === 'bindings');
}
