import { notificationsWithSeveralPayloads } from '../../../contract/payload-alternatives.ts';
import { quote } from '../../../diagnostics/quote.ts';
import type { ContractLintRule } from '../rule.ts';

/** Reports notifications whose payload is one of several schemas. They are one kind, with one handler. */
export const severalPayloads: ContractLintRule = {
  codes: ['several-payloads'],
  *check({ contract }) {
    for (const { notification, count } of notificationsWithSeveralPayloads(contract)) {
      const { id, pointer } = notification;
      const message = `The payload of ${quote(id)} is one of ${count} schemas, and its deliveries are one kind, with one handler.`;
      yield { pointer, message };
    }
  },
};
