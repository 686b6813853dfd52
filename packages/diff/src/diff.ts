import { indexSchemas } from 'countersign/companion/contract';
import { listTexts } from 'countersign/companion/terminal';
import { toCanonical } from 'countersign/companion/values';
import { attributeAnswers } from './attribute-answers.ts';
import {
  changesAt,
  type ContractChange,
  type ContractPair,
  type Effect,
  inBoth,
  type SchemaUse,
} from './change.ts';
import { componentAt } from './component-at.ts';
import { countUsers } from './count-users.ts';
import { diffValues } from './diff-items.ts';
import { diffLedger } from './diff-ledger.ts';
import { diffMessages } from './diff-messages.ts';
import { diffNotifications } from './diff-notifications.ts';
import { diffOperations } from './diff-operations.ts';
import { diffSchemas } from './diff-schemas.ts';
import { diffSecuritySchemes } from './diff-security.ts';
import { SchemaComparison } from './schemas/compare-schemas.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';

/**
 * Returns the differences between two contracts and their effects on callers and receivers. Sent and received values
 * break in opposite ways. The order is: operations, notifications, messages, schemas, security and the ledger. What one
 * part of a contract changes is one difference, however many operations and notifications use the part.
 */
export function diffContracts(contracts: ContractPair): readonly ContractChange[] {
  const { base, head } = contracts;
  const schemas = new SchemaComparison<SchemaUse>(indexSchemas(base), indexSchemas(head));
  const comparison = { ...contracts, schemas };
  const changes = [
    ...diffInfo(contracts),
    ...diffOperations(comparison),
    ...diffNotifications(comparison),
    ...diffMessages(comparison),
    ...diffSchemas(comparison),
    ...diffSecuritySchemes(contracts),
  ];
  const attributed = attributeAnswers(joinCauses(changes), contracts);
  return [...attributed, ...diffLedger(contracts, attributed)];
}

/** The changes that one change of a security requirement of the document causes everywhere. */
const securityCodes: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  'security-tightened',
  'security-relaxed',
  'notification-security-changed',
]);

/** Joins the changes of one component, and equal changes of security, which usually is that of the document. */
function joinCauses(changes: readonly ContractChange[]): readonly ContractChange[] {
  const causes = Map.groupBy(changes, (change) => keyOfCause(change) ?? change);
  return [...causes.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || all.length === 1) return all;
    const usedBy = [...new Set(all.flatMap((change) => change.usedBy))];
    const message = messageOfAll(first, usedBy);
    return { ...first, subject: subjectOfAll(all), message, effects: joinEffects(all), usedBy };
  });
}

/** Returns the message of a joined change. A component that others refer to now was not necessarily added itself. */
function messageOfAll(
  { message, pointer, code }: ContractChange,
  users: readonly string[],
): string {
  if (securityCodes.has(code) || componentAt(pointer) === undefined) return message;
  return message
    .replace(/^It was added\.$/u, `It was added to ${countUsers(users)}.`)
    .replace(/^It was removed\.$/u, `It was removed from ${countUsers(users)}.`);
}

function keyOfCause({ code, side, pointer, message }: ContractChange): string | undefined {
  if (securityCodes.has(code)) return toCanonical([code, message]);
  return componentAt(pointer) === undefined
    ? undefined
    : toCanonical([code, side, pointer, message]);
}

/** Returns the effects of the same change in several places; each role has it once. */
function joinEffects(changes: readonly ContractChange[]): readonly Effect[] {
  const effects = changes.flatMap((change) => change.effects);
  return [...new Map(effects.map((effect) => [toCanonical(effect), effect])).values()];
}

/** The number of subjects that one subject lists. */
const maxSubjects = 2;

function subjectOfAll(changes: readonly ContractChange[]): string {
  const [first] = changes;
  const shared = componentAt(first?.pointer ?? '');
  if (shared !== undefined && !securityCodes.has(first?.code ?? 'title-changed')) return shared;
  const subjects = [...new Set(changes.map(({ subject }) => subject))];
  const shown = subjects.slice(0, maxSubjects);
  const more = subjects.length - shown.length;
  return listTexts(more > 0 ? [...shown, `${more} more`] : shown, 'and');
}

function diffInfo({ base, head }: ContractPair): Iterable<ContractChange> {
  return diffValues(changesAt(inBoth(base.info, head.info), 'the contract', ['type']), [
    ['version-changed', 'The version', base.info.version, head.info.version],
    ['title-changed', 'The title', base.info.title, head.info.title],
  ]);
}
