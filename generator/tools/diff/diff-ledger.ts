import type { Unstated } from '../../contract/contract.ts';
import { pointerMembers } from '../../json/pointer.ts';
import type { ContractChange, Role } from './change.ts';
import { type ContractPair, createChange, pairBy } from './changes.ts';
import { rolesOf } from './diff-security.ts';
import { isSameJson } from '../../json/same-json.ts';
import type { LedgerChangeCode } from './verdicts/ledger.ts';
import { written } from './written.ts';

/** Yields the changes of the ledger. Settling a question is a change of the contract too. */
export function* diffLedger(contracts: ContractPair): Generator<ContractChange> {
  const { pairs, added, removed } = pairBy(
    contracts.base.unstated,
    contracts.head.unstated,
    ({ id }) => id,
  );
  for (const entry of added) {
    const at = { side: 'head', pointer: entry.pointer } as const;
    yield createChange(
      addedCode(entry),
      at,
      subjectOf(entry),
      question(entry),
      whoWaits(entry, contracts),
    );
  }
  for (const entry of removed) {
    const at = { side: 'base', pointer: entry.pointer } as const;
    const code = isWaitedFor(entry) ? 'question-removed' : 'question-withdrawn';
    yield createChange(code, at, subjectOf(entry), question(entry), whoWaits(entry, contracts));
  }
  for (const [one, other] of pairs) {
    const roles = new Set([...whoWaits(one, contracts), ...whoWaits(other, contracts)]);
    for (const [code, message] of differences(one, other)) {
      const at = { side: 'head', pointer: other.pointer } as const;
      yield createChange(code, at, subjectOf(other), message, roles);
    }
  }
}

function addedCode(entry: Unstated): LedgerChangeCode {
  if (!isWaitedFor(entry)) return 'question-documented';
  return entry.assumed === undefined ? 'question-added-open' : 'question-added';
}

function* differences(
  base: Unstated,
  head: Unstated,
): Generator<readonly [LedgerChangeCode, string]> {
  const isOpen = base.settled === undefined && head.settled === undefined;
  if (base.settled !== head.settled) yield settlement(base, head);
  else if (isOpen && isWaitedFor(base) !== isWaitedFor(head))
    yield isWaitedFor(head)
      ? [addedCode(head), 'Code waits for the answer now.']
      : ['question-removed', 'No code waits for the answer any more.'];
  else if (base.assumed !== head.assumed) {
    const change = `${written(base.assumed ?? 'nothing')} → ${written(head.assumed ?? 'nothing')}`;
    const code =
      base.assumed === undefined
        ? 'assumption-added'
        : head.assumed === undefined
          ? 'assumption-withdrawn'
          : 'assumption-changed';
    yield [code, `What is assumed: ${change}.`];
  }
  const { pairs, added, removed } = pairBy(base.choices, head.choices, ({ name }) => name);
  for (const { name } of added) yield ['choice-added', `${written(name)} is a new choice.`];
  for (const { name } of removed)
    yield ['choice-removed', `${written(name)} is no choice any more.`];
  for (const [one, other] of pairs) {
    if (!isSameJson(one.value, other.value)) {
      const change = `${written(one.value)} → ${written(other.value)}`;
      yield ['choice-changed', `${written(other.name)} stands for another value: ${change}.`];
    }
  }
  const texts = ({ question: text, remark, source, choices }: Unstated): unknown => [
    text,
    remark,
    source,
    choices.map(({ name, meaning }) => [name, meaning]),
  ];
  const sameNames = added.length === 0 && removed.length === 0;
  if (sameNames && !isSameJson(texts(base), texts(head)))
    yield ['question-reworded', `It reads: ${question(head)}`];
}

function settlement(base: Unstated, head: Unstated): readonly [LedgerChangeCode, string] {
  if (head.settled === undefined) return ['unsettled', `It was settled: ${written(base.settled)}.`];
  const answer = `The answer is ${written(head.settled)}.`;
  if (base.settled !== undefined)
    return ['settled-anew', `${answer} It was ${written(base.settled)}.`];
  if (!isWaitedFor(base)) return ['settled-documented', answer];
  if (base.assumed === undefined) return ['settled-open', answer];
  return base.assumed === head.settled
    ? ['settled-as-assumed', answer]
    : ['settled-differently', `${answer} ${written(base.assumed)} was assumed.`];
}

/** Returns the roles whose code has an option for an entry, determined by the places that use its answer. */
function whoWaits(entry: Unstated, contracts: ContractPair): ReadonlySet<Role> {
  const roles = new Set<Role>();
  for (const pointer of [...entry.usedBy, ...entry.answers]) {
    const [, section, id] = pointerMembers(pointer);
    if (section === 'securitySchemes') {
      const schemes = [...contracts.base.security, ...contracts.head.security];
      const scheme = schemes.find((one) => one.id === id);
      for (const role of scheme === undefined ? [] : rolesOf(scheme, contracts)) roles.add(role);
    } else if (isInNotification(pointer, contracts)) roles.add('notification');
    else roles.add('request');
  }
  return roles;
}

function isInNotification(pointer: string, { base, head }: ContractPair): boolean {
  if (pointer.startsWith('asyncapi#')) return true;
  return [...base.notifications, ...head.notifications].some((one) =>
    pointer.startsWith(`${one.pointer}/`),
  );
}

function isWaitedFor({ usedBy }: Unstated): boolean {
  return usedBy.length > 0;
}

function question({ question: text }: Unstated): string {
  return text.trim().replaceAll(/\s+/gu, ' ');
}

function subjectOf({ id }: Unstated): string {
  return `question ${id}`;
}
