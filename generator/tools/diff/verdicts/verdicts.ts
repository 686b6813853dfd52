import { callRules, type CallChangeCode } from './call.ts';
import { ledgerRules, type LedgerChangeCode } from './ledger.ts';
import { notificationRules, type NotificationChangeCode } from './notification.ts';
import { schemaRules, type SchemaChangeCode } from './schema.ts';
import { securityRules, type SecurityChangeCode } from './security.ts';
import { both, type ChangeRule, keeps } from './verdict.ts';

/** The code of each change between two contracts. A code without a verdict in `verdicts` does not compile. */
export type ChangeCode =
  | 'version-changed'
  | 'title-changed'
  | SchemaChangeCode
  | CallChangeCode
  | NotificationChangeCode
  | SecurityChangeCode
  | LedgerChangeCode;

export const verdicts: Readonly<Record<ChangeCode, ChangeRule>> = {
  'version-changed': both('The contract has another version.', keeps('Nothing travels otherwise.')),
  'title-changed': both('The contract has another title.', keeps('Nothing travels otherwise.')),
  ...schemaRules,
  ...callRules,
  ...notificationRules,
  ...securityRules,
  ...ledgerRules,
};
