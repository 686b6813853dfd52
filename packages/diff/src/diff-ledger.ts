import { isSameJson, pointerMembers } from 'countersign/companion/values';
import type { Unstated } from 'countersign/kit';
import {
  type ChangePlace,
  changesAt,
  type ContractChange,
  type ContractPair,
  inBoth,
  type Role,
} from './change.ts';
import { pairBy } from './diff-items.ts';
import { rolesOf } from './diff-security.ts';
import { formatChange, formatValue } from './format-value.ts';
import { rolesOfSchemas } from './usage.ts';
import type { LedgerChangeCode } from './verdicts/ledger.ts';
import type { Impact } from './verdicts/verdict.ts';

type LedgerChange = readonly [code: LedgerChangeCode, message: string];

/**
 * Yields the changes of the ledger. Settling a question is a change of the contract too: its impact is the worst of the
 * changes that follow from it.
 * @param changes the other changes of the contract, with the ledger entries whose answers cause them
 */
export function* diffLedger(
  contracts: ContractPair,
  changes: readonly ContractChange[],
): Generator<ContractChange> {
  const { base, head } = contracts;
  const usage = [base, head].map(rolesOfSchemas);
  const { pairs, added, removed } = pairBy(base.unstated, head.unstated, ({ id }) => id);
  const create = (
    [code, message]: LedgerChange,
    entry: Unstated,
    place: ChangePlace = { pointer: entry.pointer },
    roles: Iterable<Role> = affectedRoles(entry, contracts, usage),
  ): ContractChange => changesAt(place, `question ${entry.id}`, roles)(code, message);
  for (const entry of added) yield create([addedCode(entry), textOf(entry)], entry);
  for (const entry of removed) {
    const code = isUsed(entry) ? 'question-removed' : 'question-withdrawn';
    yield create([code, textOf(entry)], entry, { pointer: entry.pointer, side: 'base' });
  }
  const byAnswer = Map.groupBy(changes, ({ answer }) => answer);
  for (const [baseEntry, headEntry] of pairs) {
    const roles = [baseEntry, headEntry].flatMap((entry) => [
      ...affectedRoles(entry, contracts, usage),
    ]);
    const following = byAnswer.get(headEntry.id) ?? [];
    for (const change of differences(baseEntry, headEntry, following)) {
      const created = create(change, headEntry, inBoth(baseEntry, headEntry), [
        ...roles,
        ...rolesIn(following),
      ]);
      yield derived.has(change[0]) ? withImpactOf(following, created) : created;
    }
  }
}

/** The changes of answers that no option passes. Their impact is that of the changes that follow from them. */
const derived: ReadonlySet<LedgerChangeCode> = new Set<LedgerChangeCode>([
  'settled-narrowing',
  'settled-widening',
  'unsettled-widening',
]);

function rolesIn(changes: readonly ContractChange[]): readonly Role[] {
  return changes.flatMap(({ effects }) => effects.map(({ role }) => role));
}

/** Returns a change with the worst impact that several changes have on each role. */
function withImpactOf(
  changes: readonly ContractChange[],
  { effects, ...change }: ContractChange,
): ContractChange {
  const impactOn = (role: Role, when: 'deployed' | 'upgrade'): Impact =>
    changes.some((consequence) =>
      consequence.effects.some((effect) => effect.role === role && effect[when] === 'breaks'),
    )
      ? 'breaks'
      : 'keeps';
  return {
    ...change,
    effects: effects.map((effect) => ({
      ...effect,
      deployed: impactOn(effect.role, 'deployed'),
      upgrade: impactOn(effect.role, 'upgrade'),
    })),
  };
}

function addedCode(entry: Unstated): LedgerChangeCode {
  if (!isUsed(entry)) return 'question-documented';
  return entry.assumed === undefined ? 'question-added-open' : 'question-added';
}

function* differences(
  base: Unstated,
  head: Unstated,
  following: readonly ContractChange[],
): Generator<LedgerChange> {
  const isOpen = base.settled === undefined && head.settled === undefined;
  if (base.settled !== head.settled) yield settlement(base, head, following);
  else if (isOpen && isUsed(base) !== isUsed(head))
    yield isUsed(head)
      ? [addedCode(head), 'Generated code depends on the answer now.']
      : ['question-removed', 'No generated code depends on the answer any more.'];
  else if (base.assumed !== head.assumed) {
    const code =
      base.assumed === undefined
        ? 'assumption-added'
        : head.assumed === undefined
          ? 'assumption-withdrawn'
          : 'assumption-changed';
    yield [code, formatChange('The assumed answer', base.assumed, head.assumed)];
  }
  const { pairs, added, removed } = pairBy(base.choices, head.choices, ({ name }) => name);
  for (const { name } of added)
    yield ['choice-added', `The choice ${formatValue(name)} was added.`];
  for (const { name } of removed)
    yield ['choice-removed', `The choice ${formatValue(name)} was removed.`];
  for (const [baseChoice, headChoice] of pairs) {
    if (isSameJson(baseChoice.value, headChoice.value)) continue;
    const what = `The value of the choice ${formatValue(headChoice.name)}`;
    yield ['choice-changed', formatChange(what, baseChoice.value, headChoice.value)];
  }
  const texts = ({ question, remark, source, choices }: Unstated): unknown => [
    question,
    remark,
    source,
    Object.fromEntries(choices.map(({ name, meaning }) => [name, meaning])),
  ];
  const sameNames = added.length === 0 && removed.length === 0;
  if (sameNames && !isSameJson(texts(base), texts(head)))
    yield ['question-reworded', `The question is: ${textOf(head)}`];
}

function settlement(
  base: Unstated,
  head: Unstated,
  following: readonly ContractChange[],
): LedgerChange {
  const was = formatValue(base.settled);
  if (head.settled === undefined) {
    const code = isUsed(head)
      ? 'unsettled'
      : base.answers.length > 0
        ? 'unsettled-widening'
        : 'unsettled-documented';
    return [code, `The answer was ${was}.`];
  }
  const answer = `The answer is ${formatValue(head.settled)}.`;
  if (base.settled !== undefined) return ['settled-anew', `${answer} It was ${was}.`];
  const against =
    base.assumed === undefined
      ? answer
      : `${answer} The assumption was ${formatValue(base.assumed)}.`;
  if (!isUsed(base)) {
    if (head.answers.length === 0) return ['settled-documented', answer];
    const isRefused = following.some(({ effects }) =>
      effects.some(({ role, deployed }) => role !== 'request' && deployed === 'breaks'),
    );
    return isRefused ? ['settled-widening', against] : ['settled-narrowing', answer];
  }
  if (base.assumed === undefined) return ['settled-open', answer];
  return base.assumed === head.settled
    ? ['settled-as-assumed', answer]
    : ['settled-differently', against];
}

/** Returns the roles whose code has an option for an entry, determined by the places that use its answer. */
function affectedRoles(
  entry: Unstated,
  contracts: ContractPair,
  usage: readonly ReturnType<typeof rolesOfSchemas>[],
): ReadonlySet<Role> {
  const roles = new Set<Role>();
  for (const pointer of [...entry.usedBy, ...entry.answers]) {
    const [, section, id] = pointerMembers(pointer);
    if (section === 'securitySchemes') {
      const schemes = [...contracts.base.security, ...contracts.head.security];
      const scheme = schemes.find((candidate) => candidate.id === id);
      for (const role of scheme === undefined ? [] : rolesOf(scheme, contracts)) roles.add(role);
    } else if (section === 'schemas' && id !== undefined) {
      for (const role of usage.flatMap((roles) => [...(roles.get(id) ?? [])])) roles.add(role);
    } else roles.add(isInNotification(pointer, contracts) ? 'notification' : 'request');
  }
  return roles;
}

function isInNotification(pointer: string, { base, head }: ContractPair): boolean {
  if (pointer.startsWith('asyncapi#')) return true;
  return [...base.notifications, ...head.notifications].some((notification) =>
    pointer.startsWith(`${notification.pointer}/`),
  );
}

/** Returns whether generated code has an option for an entry. */
function isUsed({ usedBy }: Unstated): boolean {
  return usedBy.length > 0;
}

function textOf({ question }: Unstated): string {
  return question.trim().replaceAll(/\s+/gu, ' ');
}
