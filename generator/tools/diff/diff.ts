import type { ContractChange } from './change.ts';
import { type ContractPair, createChange } from './changes.ts';
import { diffLedger } from './diff-ledger.ts';
import { diffNotifications } from './diff-notifications.ts';
import { diffOperations } from './diff-operations.ts';
import { diffSchemas } from './diff-schemas.ts';
import { diffSecuritySchemes } from './diff-security.ts';
import { written } from './written.ts';

/**
 * Returns the differences between two contracts and their effects on callers and receivers. Sent and received values
 * break in opposite ways. The order is: operations, notifications, schemas, security and the ledger.
 */
export function diffContracts(contracts: ContractPair): readonly ContractChange[] {
  return [
    ...diffInfo(contracts),
    ...diffOperations(contracts),
    ...diffNotifications(contracts),
    ...diffSchemas(contracts),
    ...diffSecuritySchemes(contracts),
    ...diffLedger(contracts),
  ];
}

function* diffInfo({ base, head }: ContractPair): Generator<ContractChange> {
  const at = { side: 'head', pointer: head.info.pointer } as const;
  const roles = ['type'] as const;
  for (const member of ['version', 'title'] as const) {
    if (base.info[member] === head.info[member]) continue;
    const change = `${written(base.info[member])} → ${written(head.info[member])}`;
    yield createChange(`${member}-changed`, at, 'the contract', `Its ${member}: ${change}.`, roles);
  }
}
