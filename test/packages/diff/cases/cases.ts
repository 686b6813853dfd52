import { calls } from './calls.ts';
import type { Case } from './case.ts';
import { ledger } from './ledger.ts';
import { messages } from './messages.ts';
import { notifications } from './notifications.ts';
import { schemas, variants } from './schemas.ts';
import { security } from './security.ts';

/** Every kind of change, by what it is a change of. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  schemas,
  variants,
  calls,
  notifications,
  messages,
  security,
  ledger,
};
