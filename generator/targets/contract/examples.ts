import type { Contract, Example } from '../../contract/contract.ts';
import type { Json } from '../../json/json.ts';

/**
 * Returns examples for schemas that have none of their own: for each schema, the first example of a notification or an
 * operation that has it as its payload or body.
 */
export function inheritExamples(contract: Contract): ReadonlyMap<string, readonly Json[]> {
  const borrowed = new Map<string, readonly Json[]>();
  const offer = (schema: string | undefined, [first]: readonly Example[]): void => {
    if (schema === undefined || first === undefined || borrowed.has(schema)) return;
    borrowed.set(schema, [first.value]);
  };
  for (const { payload, examples } of contract.notifications) offer(payload, examples);
  for (const { payload, examples } of contract.messages) offer(payload, examples);
  for (const { requestBody, responses } of contract.operations) {
    const bodies = [requestBody, ...responses].flatMap((body) => body?.content ?? []);
    for (const { schema, examples } of bodies) offer(schema, examples);
  }
  return borrowed;
}
