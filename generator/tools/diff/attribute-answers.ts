import type { Contract, Unstated } from '../../contract/contract.ts';
import { type Cursor, child, toCursor } from '../../json/cursor.ts';
import { isWithin, type Pointer, pointerDocument, pointerMembers } from '../../json/pointer.ts';
import { isSameJson } from '../../json/same-json.ts';
import { messagePlaces } from '../../specification/message-place.ts';
import type { ContractChange, ContractPair, Effect } from './change.ts';
import { pairBy } from './diff-items.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';

/** A ledger entry whose answer differs between two contracts. */
interface ChangedAnswer {
  readonly id: string;
  /** The places that use an answer, or that its actions wrote or removed, in either contract. */
  readonly places: readonly Pointer[];
  /** Whether an open entry was settled, and not against its assumption. What still arrives was accepted before. */
  readonly narrows: boolean;
  /** Whether callers and receivers pass the answer as an option while the entry is open. */
  readonly isOption: boolean;
}

/**
 * Adds to each change the ledger entry whose answer causes it, if any: the entry is answered differently, and its
 * answer is used or written at the place of the change. While an entry is open, every reading is accepted. So a change
 * that only follows from settling it does not break deployed code that receives.
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
  return caused.map(({ change, answer }) => {
    if (answer === undefined) return change;
    const beside = caused.flatMap((one) => (one.answer === answer ? one.change : []));
    const isExpected = answer.narrows && isAcceptedBefore(change, beside);
    const effects = isExpected
      ? change.effects.map((effect) => ofSettling(effect, change.code, answer))
      : change.effects;
    return { ...change, effects, answer: answer.id };
  });
}

/**
 * Returns whether a schema accepted before what it accepts after a change. A change that accepts more can be a part of
 * one that accepts less: a format instead of a pattern, or null instead of a variant that stood for it.
 */
function isAcceptedBefore(
  { code, subject, effects }: ContractChange,
  beside: readonly ContractChange[],
): boolean {
  if (!subject.startsWith('schema ') || !effects.some(({ deployed }) => deployed === 'breaks'))
    return true;
  if (code === 'type-changed' || code === 'const-changed') return false;
  const [schema = subject] = subject.split(',');
  return beside.some((one) => narrowing.has(one.code) && one.subject.split(',')[0] === schema);
}

const narrowing: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  'variant-removed',
  'rule-added',
  'limit-tightened',
  'enum-closed',
  'enum-value-removed',
  'type-narrowed',
  'alternative-removed',
]);

function changedAnswers({ base, head }: ContractPair): readonly ChangedAnswer[] {
  const { pairs } = pairBy(base.unstated, head.unstated, ({ id }) => id);
  return pairs.flatMap(([was, is]) => {
    if (was.settled === is.settled) return [];
    const isSettled = was.settled === undefined && is.settled !== undefined;
    const isExpected = was.assumed === undefined || was.assumed === is.settled;
    return {
      id: is.id,
      places: [...was.answers, ...is.answers],
      narrows: isSettled && isExpected,
      isOption: isOption(was) || isOption(is),
    };
  });
}

function isOption({ usedBy }: Unstated): boolean {
  return usedBy.length > 0;
}

/** Changes of validity that change no type. A value that was accepted before already reached the code. */
const validityOnly: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  'rule-added',
  'rule-removed',
  'rule-changed',
  'limit-tightened',
  'limit-loosened',
]);

/** Returns the effect of a change that follows from settling an open entry. */
function ofSettling(effect: Effect, code: ChangeCode, { isOption: asks }: ChangedAnswer): Effect {
  if (effect.deployed === 'keeps' || (effect.role === 'request' && !asks)) return effect;
  const { role, upgrade, migrate } = effect;
  const why = asks
    ? 'Deployed code that passes this answer, or relies on it as the assumption, keeps working.'
    : 'Every reading was accepted while the question was open, so this one was too.';
  if (upgrade === 'keeps' || validityOnly.has(code))
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

/** The members, relative to its pointer, that decide a change whose pointer is that of a larger object. */
const deciding: { readonly [code in ChangeCode]?: string } = {
  'deduplication-changed': 'x-dedupe-by',
  'parameter-made-differently': 'x-every-request',
  'repetition-allowed': 'x-repeatable',
  'repetition-withdrawn': 'x-repeatable',
  'access-token-changed': 'x-access-token',
  'signature-changed': 'x-signature',
};

/** Creates the function that returns whether writing a place causes a change. */
function createCauseCheck(
  contracts: ContractPair,
): (place: Pointer, change: ContractChange) => boolean {
  const labelsOf = labelPlaces(contracts);
  return (place, { code, pointer }) => {
    if (code === 'notification-method-changed' || labels.includes(code)) {
      const part = code === 'notification-method-changed' ? 'bindings' : 'address';
      return (labelsOf.get(pointer) ?? []).some((label) => isRelated(place, `${label}/${part}`));
    }
    if (identification.includes(code)) return causesIdentification(place, pointer, contracts);
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
  const [was, is] = [contracts.base, contracts.head].map(
    (contract) => child(at(contract, message), 'x-identified-by').value,
  );
  return isIdentification && isSameJson(was, is);
}

function at({ documents }: Contract, pointer: Pointer): Cursor {
  const name = pointerDocument(pointer);
  return child(toCursor(documents[name] ?? {}, name), ...pointerMembers(pointer));
}

/** Returns the channels and operations of each message of both contracts, by the pointer of the message. */
function labelPlaces({ base, head }: ContractPair): ReadonlyMap<Pointer, readonly Pointer[]> {
  const found = new Map<Pointer, readonly Pointer[]>();
  for (const { documents } of [base, head]) {
    if (documents.asyncapi === undefined) continue;
    const root = toCursor(documents.asyncapi, 'asyncapi');
    for (const action of ['send', 'receive']) {
      for (const { message, channel, operation } of messagePlaces(root, action)) {
        const known = found.get(message.pointer) ?? [];
        found.set(message.pointer, [...known, channel.pointer, operation.pointer]);
      }
    }
  }
  return found;
}
