import type { Conditions, Pointer } from 'countersign';
import { methodsOf, unstatedId } from 'countersign/companion/contract';
import { messagePlaces } from 'countersign/companion/project';
import {
  Cursor,
  isSameJson,
  isWithin,
  pointerDocument,
  pointerMembers,
  toPointer,
} from 'countersign/companion/values';
import type { Contract } from 'countersign/kit';
import type { ContractChange, ContractPair, Effect } from './change.ts';
import { pairBy } from './diff-items.ts';
import { lostReferences } from './lost-uses.ts';
import { pairNotifications } from './pair-notifications.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';

/** A ledger entry whose answer differs between two contracts. */
interface ChangedAnswer {
  readonly id: string;
  /** The places that use an answer, or that its actions wrote or removed, in either contract. */
  readonly places: readonly Pointer[];
  /** Whether an open entry was settled, and not against its assumption. What still arrives was accepted before. */
  readonly narrows: boolean;
}

/**
 * Adds to each change the ledger entry whose answer causes it, if any: the entry is answered differently, and its
 * answer is used or written at the place of the change. While an entry is open, every reading is accepted. So a change
 * that follows from settling it, and that deployed code provably accepts, does not break deployed code.
 */
export function attributeAnswers(
  changes: readonly ContractChange[],
  contracts: ContractPair,
): readonly ContractChange[] {
  const answers = changedAnswers(contracts);
  if (answers.length === 0) return changes;
  const isCause = createCauseCheck(contracts);
  const caused = changes.map((change) => ({
    change,
    answer: answers.find(({ places }) => places.some((place) => isCause(place, change))),
  }));
  const narrowed = new Set(
    caused.map(({ change, answer }) => narrowingKey(change.code, change.pointer, answer)),
  );
  const accepts = createAcceptanceCheck(contracts);
  return caused.map(({ change, answer }) => {
    if (answer === undefined) return change;
    const { code, pointer, effects } = change;
    const isAccepted =
      answer.narrows &&
      (accepts(change) ||
        (replacedBy[code] ?? []).some((replacement) =>
          narrowed.has(narrowingKey(replacement, pointer, answer)),
        ));
    return {
      ...change,
      effects: isAccepted ? effects.map((effect) => ofSettling(effect, code)) : effects,
      answer: answer.id,
    };
  });
}

/**
 * The changes that accept less, beside which a change that accepts more is a part of a narrower rule for the same value:
 * a format instead of a pattern, or null instead of a variant that stood for it.
 */
const replacedBy: { readonly [code in ChangeCode]?: readonly ChangeCode[] } = {
  'rule-removed': ['rule-added'],
  'type-widened': ['variant-removed'],
  'alternative-added': ['variant-removed'],
};

/** Returns a key for a change of one schema that follows from one answer. */
function narrowingKey(
  code: ChangeCode,
  pointer: Pointer,
  answer: ChangedAnswer | undefined,
): string {
  const schema = pointer.replace(/\/(?:(?:x-variants|anyOf|oneOf)\/)?[^/]*$/u, '');
  return JSON.stringify([code, schema, answer?.id]);
}

/**
 * Creates the function that returns whether deployed code accepts what a change leads to that follows from settling an
 * open entry. Every other change breaks as if no answer caused it.
 */
function createAcceptanceCheck(contracts: ContractPair): (change: ContractChange) => boolean {
  const { base, head } = contracts;
  const pairs = new Map(
    pairNotifications(base, head).pairs.map(([was, is]) => [is.pointer, [was, is] as const]),
  );
  const methods = new Set(methodsOf(base.notifications));
  return ({ code, pointer }) => {
    const member = deciding[code];
    if (member !== undefined) return isOnlySettled(toPointer(pointer, member), contracts);
    const pair = pairs.get(pointer);
    if (pair === undefined) return false;
    const [was, is] = pair;
    if (code === 'label-removed') return was.identifiedBy.length > 0;
    // A contract that states nothing leaves the choice to each receiver.
    if (code === 'notification-security-changed') return was.security.length === 0;
    if (code === 'notification-method-changed')
      return methodsOf([is]).every((method) => methods.has(method));
    return code === 'identification-changed' && isNarrower(was.identifiedBy, is.identifiedBy);
  };
}

/** Returns whether each alternative has all conditions of one of the alternatives before. */
function isNarrower(was: readonly Conditions[], is: readonly Conditions[]): boolean {
  const hasAll = (required: Conditions, conditions: Conditions): boolean =>
    required.every((requirement) =>
      conditions.some((condition) => isSameJson(condition, requirement)),
    );
  return (
    is.length > 0 &&
    is.every((conditions) =>
      was.some((previousConditions) => hasAll(previousConditions, conditions)),
    )
  );
}

/** Returns whether a value differs only in that the ledger entries it refers to are settled. */
function isOnlySettled(place: Pointer, { base, head }: ContractPair): boolean {
  const choices = new Map(
    head.unstated.map(({ id, settled, choices: all }) => [
      id,
      all.find(({ name }) => name === settled)?.value,
    ]),
  );
  const [was, is] = [base, head].map((contract): unknown =>
    JSON.parse(JSON.stringify(at(contract, place).value ?? null), (_, value: unknown) => {
      return choices.get(unstatedId(value) ?? '') ?? value;
    }),
  );
  return isSameJson(was, is);
}

function changedAnswers({ base, head }: ContractPair): readonly ChangedAnswer[] {
  const { pairs } = pairBy(base.unstated, head.unstated, ({ id }) => id);
  const answers = pairs.flatMap(([was, is]) => {
    if (was.settled === is.settled) return [];
    const isSettled = was.settled === undefined && is.settled !== undefined;
    const isExpected = was.assumed === undefined || was.assumed === is.settled;
    return {
      id: is.id,
      places: [...was.answers, ...is.answers],
      narrows: isSettled && isExpected,
    };
  });
  // If several answers can cause a change, it breaks unless all of them narrow.
  return answers.toSorted((a, b) => Number(a.narrows) - Number(b.narrows));
}

/** Returns the effect of an accepted change that follows from settling an open entry. */
function ofSettling(effect: Effect, code: ChangeCode): Effect {
  const isOption = deciding[code] !== undefined;
  if (effect.deployed === 'keeps' || (effect.role === 'request' && !isOption)) return effect;
  const { role, upgrade, migrate } = effect;
  const why = isOption
    ? 'Deployed code that passes this answer, or relies on it as the assumption, keeps working.'
    : code === 'notification-security-changed'
      ? 'While the question was open, each receiver chose how it authenticates. A deployed one continues to.'
      : 'Every reading was accepted while the question was open, so this one was too.';
  if (upgrade === 'keeps' || code === 'rule-removed')
    return { role, deployed: 'keeps', upgrade: 'keeps', why };
  return { role, deployed: 'keeps', upgrade, why, ...(migrate === undefined ? {} : { migrate }) };
}

const labels: readonly ChangeCode[] = ['label-added', 'label-removed', 'label-changed'];
const identification: readonly ChangeCode[] = [
  'identification-changed',
  'kind-ambiguous',
  'kind-unambiguous',
  'union-added',
  'union-removed',
];

/**
 * The members, relative to its pointer, that decide a change whose pointer is that of a larger object. Callers and
 * receivers pass the answers in them as options.
 */
const deciding: { readonly [code in ChangeCode]?: string } = {
  'deduplication-changed': 'x-dedupe-by',
  'order-changed': 'x-ordered-by',
  'parameter-made-differently': 'x-every-request',
  'repetition-allowed': 'x-repeatable',
  'repetition-withdrawn': 'x-repeatable',
  'pagination-added': 'x-pagination',
  'pagination-removed': 'x-pagination',
  'pagination-changed': 'x-pagination',
  'access-token-changed': 'x-access-token',
  'signature-changed': 'x-signature',
};

/** Creates the function that returns whether writing a place causes a change. */
function createCauseCheck(
  contracts: ContractPair,
): (place: Pointer, change: ContractChange) => boolean {
  const labelsOf = labelPlaces(contracts);
  const names = new Map(contracts.head.schemas.map(({ pointer, name }) => [pointer, name]));
  return (place, { code, pointer }) => {
    if (code === 'notification-method-changed' || labels.includes(code)) {
      const part = code === 'notification-method-changed' ? 'bindings' : 'address';
      return (labelsOf.get(pointer) ?? []).some((label) => isRelated(place, `${label}/${part}`));
    }
    if (code === 'notification-security-changed')
      return [pointer, ...(labelsOf.get(pointer) ?? [])].some((holder) =>
        isRelated(place, `${holder}/security`),
      );
    if (code === 'schema-identification-changed')
      return isRelated(place, `${pointer}/x-identified-by-schema`);
    if (identification.includes(code)) return causesIdentification(place, pointer, contracts);
    if (code === 'guards-removed')
      return lostReferences(names.get(pointer) ?? '', contracts).some((lost) =>
        isWithin(lost, place),
      );
    if (code === 'variant-changed') return isRelated(place, pointer);
    const member = deciding[code];
    if (member !== undefined) return isRelated(place, `${pointer}/${member}`);
    if (code === 'member-required' || code === 'member-optional') {
      const schema = pointer.replace(/\/(?:properties\/[^/]*|required)$/u, '');
      return isRelated(place, `${schema}/required`);
    }
    return isWithin(pointer, place);
  };
}

/** Returns whether one of two places is that of the other, or of a part of it. */
function isRelated(place: string, other: string): boolean {
  return isWithin(place, other) || isWithin(other, place);
}

/**
 * Returns whether writing a place causes a change of how a notification is identified. The conditions of others decide
 * which of its own conditions are needed. So any `x-identified-by` can, unless that of the message was edited by hand.
 */
function causesIdentification(place: string, message: Pointer, contracts: ContractPair): boolean {
  if (isRelated(place, `${message}/x-identified-by`)) return true;
  const isIdentification = pointerMembers(place).some(
    (member) => member === 'x-identified-by' || member === 'x-conditions',
  );
  const [was, is] = [contracts.base, contracts.head].map((contract) =>
    at(contract, message).valueIn('x-identified-by'),
  );
  return isIdentification && isSameJson(was, is);
}

function at({ documents }: Contract, pointer: Pointer): Cursor {
  const name = pointerDocument(pointer);
  return Cursor.ofDocument(documents[name] ?? {}, name).child(...pointerMembers(pointer));
}

/** Returns the channels and operations of each message of both contracts, by the pointer of the message. */
function labelPlaces({ base, head }: ContractPair): ReadonlyMap<Pointer, readonly Pointer[]> {
  const placesByLabel = new Map<Pointer, readonly Pointer[]>();
  for (const { documents } of [base, head]) {
    if (documents.asyncapi === undefined) continue;
    const root = Cursor.ofDocument(documents.asyncapi, 'asyncapi');
    for (const action of ['send', 'receive']) {
      for (const { message, channel, operation } of messagePlaces(root, action)) {
        const places = placesByLabel.get(message.pointer) ?? [];
        placesByLabel.set(message.pointer, [...places, channel.pointer, operation.pointer]);
      }
    }
  }
  return placesByLabel;
}
