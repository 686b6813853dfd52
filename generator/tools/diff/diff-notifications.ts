import type { Notification } from '../../contract/contract.ts';
import type { ContractChange, Role } from './change.ts';
import { type ContractPair, createChange, pairBy } from './changes.ts';
import { diffKinds } from './diff-kinds.ts';
import { diffNotes, diffParameters, notificationHeaders } from './diff-parameters.ts';
import { diffDefinitions, indexBoth, type SchemaIndexes } from './diff-schemas.ts';
import { isSameJson } from '../../json/same-json.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';
import { written } from './written.ts';

const notification: ReadonlySet<Role> = new Set(['notification']);

/** Yields the changes of notifications, including those of their kinds. */
export function* diffNotifications(contracts: ContractPair): Generator<ContractChange> {
  const indexes = indexBoth(contracts);
  const { base, head } = contracts;
  const { pairs, added, removed } = pairBy(base.notifications, head.notifications, ({ id }) => id);
  for (const one of added) {
    const at = { side: 'head', pointer: one.pointer } as const;
    yield createChange('notification-added', at, subjectOf(one), 'It is new.', notification);
  }
  for (const one of removed) {
    const at = { side: 'base', pointer: one.pointer } as const;
    yield createChange('notification-removed', at, subjectOf(one), 'It is gone.', notification);
  }
  for (const [one, other] of pairs) yield* diffNotification(one, other, indexes);
  yield* diffKinds(contracts);
}

function* diffNotification(
  base: Notification,
  head: Notification,
  indexes: SchemaIndexes,
): Generator<ContractChange> {
  const subject = subjectOf(head);
  const at = { side: 'head', pointer: head.pointer } as const;
  const say = (code: ChangeCode, message: string): ContractChange =>
    createChange(code, at, subject, message, notification);
  yield* diffNotes(base, head, subject, notification);
  yield* diffLabel(base, head, say);
  if (base.contentType !== head.contentType) {
    const change = `It was ${written(base.contentType)} and is ${written(head.contentType)}.`;
    yield say('content-type-changed', change);
  }
  yield* diffParameters(base.headers, head.headers, notificationHeaders, subject, indexes);
  if (base.payload !== head.payload) {
    yield* diffDefinitions(
      { definition: { $ref: `#/$defs/${base.payload}` }, pointer: base.pointer },
      { definition: { $ref: `#/$defs/${head.payload}` }, pointer: head.pointer },
      indexes,
      subject,
      notification,
    );
  }
  const isDeclared = [base, head].some(
    ({ identifiedByOrigin }) => identifiedByOrigin === 'declared',
  );
  // A derived `identifiedBy` changes only with the constants of the payload, which are reported as schema changes.
  if (isDeclared && !isSameJson(base.identifiedBy, head.identifiedBy)) {
    const change = `${written(base.identifiedBy)} → ${written(head.identifiedBy)}`;
    yield say('identification-changed', `Something else identifies it: ${change}.`);
  }
  if (!isSameJson(base.dedupeBy, head.dedupeBy)) {
    const change = `${written(base.dedupeBy ?? 'nothing')} → ${written(head.dedupeBy ?? 'nothing')}`;
    yield say('deduplication-changed', `Deliveries are the same by something else: ${change}.`);
  }
  if (!isSameJson(base.security, head.security)) {
    const change = `${written(base.security)} → ${written(head.security)}`;
    yield say('notification-security-changed', `It is authenticated in another way: ${change}.`);
  }
  if (!isSameJson(valuesOf(base), valuesOf(head)))
    yield say('examples-changed', 'Its examples changed.');
}

function* diffLabel(
  base: Notification,
  head: Notification,
  say: (code: ChangeCode, message: string) => ContractChange,
): Generator<ContractChange> {
  const [was, is] = [base.label?.path, head.label?.path];
  if (was === undefined && is !== undefined)
    yield say('label-added', `It comes at ${written(is)}.`);
  else if (was !== undefined && is === undefined)
    yield say('label-removed', `It no longer comes at ${written(was)}.`);
  else if (was !== is)
    yield say('label-changed', `It came at ${written(was)} and comes at ${written(is)}.`);
  if (base.method !== head.method) {
    const change = `It came with ${base.method ?? 'any method'} and comes with ${head.method ?? 'any method'}.`;
    yield say('notification-method-changed', change);
  }
}

function valuesOf({ examples, invalidExamples }: Notification): readonly unknown[] {
  return [...examples, ...invalidExamples].map(({ name, value }) => [name, value]);
}

function subjectOf({ id }: Notification): string {
  return `notification ${id}`;
}
