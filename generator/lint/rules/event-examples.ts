import { createExampleCheck } from '../../contract/rules/example-check.ts';
import { formOf } from '../../contract/rules/example-form.ts';
import { quote } from '../../contract/rules/rule.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { find, type ContractLintRule } from '../rule.ts';
import { orElse } from '../or-else.ts';

/** Each notification has an example in every form in which it can travel. */
export const eventExamples: ContractLintRule = {
  name: 'event-examples',
  codes: ['event-without-example', 'form-without-example'],
  check({ contract, documents }): Iterable<Diagnostic> {
    const check = createExampleCheck(contract);
    return contract.notifications.flatMap((notification): readonly Diagnostic[] => {
      const { id, pointer, payload, examples } = notification;
      if (examples.length === 0) {
        const message = `The notification ${quote(id)} has no example.`;
        return [find(documents, 'event-without-example', pointer, message)];
      }
      const variants = contract.schemas.find(({ name }) => name === payload)?.variants ?? [];
      if (variants.length === 0) return [];
      const shown = new Set(
        examples.map(({ value }) =>
          orElse(() => formOf(notification, value, contract, check)?.name, undefined),
        ),
      );
      return [undefined, ...variants.map(({ name }) => name)].flatMap((form) => {
        if (shown.has(form)) return [];
        const words = form === undefined ? 'the canonical form' : `the form ${quote(form)}`;
        const message = `No example of the notification ${quote(id)} has ${words}.`;
        return [find(documents, 'form-without-example', pointer, message)];
      });
    });
  },
};
