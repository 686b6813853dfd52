import { attributeAnswers } from './attribute-answers.ts';
import { changesAt, type ContractChange, type ContractPair } from './change.ts';
import { diffValues } from './diff-items.ts';
import { diffLedger } from './diff-ledger.ts';
import { diffMessages } from './diff-messages.ts';
import { diffNotifications } from './diff-notifications.ts';
import { diffOperations } from './diff-operations.ts';
import { diffSchemas } from './diff-schemas.ts';
import { diffSecuritySchemes } from './diff-security.ts';

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
  return [...attributed, ...diffLedger(contracts, attributed)];
}

function diffInfo({ base, head }: ContractPair): Iterable<ContractChange> {
  return diffValues(changesAt(head.info.pointer, 'the contract', ['type']), [
    ['version-changed', 'The version', base.info.version, head.info.version],
    ['title-changed', 'The title', base.info.title, head.info.title],
  ]);
}
