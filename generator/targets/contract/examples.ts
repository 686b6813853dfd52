import type { Contract, Example } from '../../contract/contract.ts';

/**
 * Returns an example for each schema that is a payload or body: the first example of a notification or an operation that
 * has it. It is shown where the schema does not have one.
 */
export function inheritExamples(contract: Contract): ReadonlyMap<string, Example> {
  const borrowed = new Map<string, Example>();
  const offer = (schema: string | undefined, [first]: readonly Example[]): void => {
    if (schema === undefined || first === undefined || borrowed.has(schema)) return;
    borrowed.set(schema, first);
  };
  for (const { payload, examples } of contract.notifications) offer(payload, examples);
  for (const { payload, examples } of contract.messages) offer(payload, examples);
  for (const { requestBody, responses } of contract.operations) {
    const bodies = [requestBody, ...responses].flatMap((body) => body?.content ?? []);
    for (const { schema, examples } of bodies) offer(schema, examples);
  }
  return borrowed;
}
