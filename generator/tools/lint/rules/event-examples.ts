import type { Contract, Notification } from '../../../contract/contract.ts';
import { type ExampleCheck, withExampleCheck } from '../../../rules/example-check.ts';
import { formOf } from '../../../rules/example-form.ts';
import { quote } from '../../../diagnostics/quote.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { Documents } from '../../../load/documents.ts';
import { type ContractLintRule, find } from '../rule.ts';
import { orElse } from '../or-else.ts';

/** Reports notifications without an example, and wire formats of a notification that no example shows. */
export const eventExamples: ContractLintRule = {
  name: 'event-examples',
  codes: ['event-without-example', 'form-without-example'],
  async check({ contract, documents, compiler }): Promise<Iterable<Diagnostic>> {
    return await withExampleCheck(contract, compiler, async (check) => {
      const found = contract.notifications.map(async (notification) =>
        missingForms(notification, contract, documents, check),
      );
      return (await Promise.all(found)).flat();
    });
  },
};

async function missingForms(
  notification: Notification,
  contract: Contract,
  documents: Documents,
  check: ExampleCheck,
): Promise<readonly Diagnostic[]> {
  const { id, pointer, payload, examples } = notification;
  if (examples.length === 0) {
    const message = `The notification ${quote(id)} has no example.`;
    return [find(documents, 'event-without-example', pointer, message)];
  }
  const variants = contract.schemas.find(({ name }) => name === payload)?.variants ?? [];
  if (variants.length === 0) return [];
  const forms = examples.map(async ({ value }) =>
    orElse(async () => (await formOf(notification, value, contract, check))?.name, undefined),
  );
  const shown = new Set(await Promise.all(forms));
  return [undefined, ...variants.map(({ name }) => name)].flatMap((form) => {
    if (shown.has(form)) return [];
    const words = form === undefined ? 'the canonical form' : `the form ${quote(form)}`;
    const message = `No example of the notification ${quote(id)} has ${words}.`;
    return [find(documents, 'form-without-example', pointer, message)];
  });
}
