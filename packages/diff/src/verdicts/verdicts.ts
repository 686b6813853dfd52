import { type CallChangeCode, callVerdicts } from './call.ts';
import { type LedgerChangeCode, ledgerVerdicts } from './ledger.ts';
import { type MessageChangeCode, messageVerdicts } from './message.ts';
import { type NotificationChangeCode, notificationVerdicts } from './notification.ts';
import { type SchemaChangeCode, schemaVerdicts } from './schema.ts';
import { type SecurityChangeCode, securityVerdicts } from './security.ts';
import { both, type DirectedVerdicts } from './verdict.ts';

/** The code of each change between two contracts. */
export type ChangeCode =
  | 'version-changed'
  | 'title-changed'
  | SchemaChangeCode
  | CallChangeCode
  | NotificationChangeCode
  | MessageChangeCode
  | SecurityChangeCode
  | LedgerChangeCode;

/** The impact of each change, by its code. */
export const verdicts: Readonly<Record<ChangeCode, DirectedVerdicts>> = {
  'version-changed': both.keeps('The version does not affect requests or notifications.'),
  'title-changed': both.keeps(
    'The title does not affect requests or notifications. Receivers that keep what they handled need the option `name`: the title is part of its default.',
  ),
  ...schemaVerdicts,
  ...callVerdicts,
  ...notificationVerdicts,
  ...messageVerdicts,
  ...securityVerdicts,
  ...ledgerVerdicts,
};
