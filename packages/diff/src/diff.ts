import { attributeAnswers } from './attribute-answers.ts';
import { changesAt, type ContractChange, type ContractPair } from './change.ts';
import { diffValues } from './diff-items.ts';
import { diffLedger } from './diff-ledger.ts';
import { diffMessages } from './diff-messages.ts';
import { diffNotifications } from './diff-notifications.ts';
import { diffOperations } from './diff-operations.ts';
import { diffSchemas } from './diff-schemas.ts';
import { diffSecuritySchemes } from './diff-security.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';
import { listTexts } from 'countersign/companion/command';

/**
 * Returns the differences between two contracts and their effects on callers and receivers. Sent and received values
 * break in opposite ways. The order is: operations, notifications, messages, schemas, security and the ledger.
 */
export function diffContracts(contracts: ContractPair): readonly ContractChange[] {
  const changes = [
    ...diffInfo(contracts),
    ...diffOperations(contracts),
    ...diffNotifications(contracts),
    ...diffMessages(contracts),
    ...diffSchemas(contracts),
    ...diffSecuritySchemes(contracts),
  ];
  const attributed = attributeAnswers(changes, contracts);
  return [...mergeSecurity(attributed), ...diffLedger(contracts, attributed)];
}

/** The changes that one change of a security requirement of the document causes everywhere. */
const securityCodes: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  'security-tightened',
  'security-relaxed',
  'notification-security-changed',
]);

/** Merges equal changes of security into one, at the place of the first, whose subject names all their subjects. */
function mergeSecurity(changes: readonly ContractChange[]): readonly ContractChange[] {
  const firsts = new Map<string, ContractChange>();
  const subjects = new Map<ContractChange, string[]>();
  for (const change of changes) {
    const { pointer: _, subject, ...common } = change;
    const key = securityCodes.has(change.code) ? JSON.stringify(common) : '';
    const first = firsts.get(key);
    if (key === '' || first === undefined) {
      firsts.set(key, change);
      subjects.set(change, [subject]);
    } else subjects.get(first)?.push(subject);
  }
  return Array.from(subjects, ([change, all]) => ({ ...change, subject: listTexts(all, 'and') }));
}

function diffInfo({ base, head }: ContractPair): Iterable<ContractChange> {
  return diffValues(changesAt(head.info.pointer, 'the contract', ['type']), [
    ['version-changed', 'The version', base.info.version, head.info.version],
    ['title-changed', 'The title', base.info.title, head.info.title],
  ]);
}
