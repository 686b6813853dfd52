import type { Contract } from '../../../contract/contract.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { SchemaNode } from '../../../schema/node.ts';
import { findSchema, indexSchemas } from '../../../schema/references.ts';
import type { ContractLintRule } from '../rule.ts';

/** Reports notifications whose payload is one of several schemas. They are one kind, with one handler. */
export const severalPayloads: ContractLintRule = {
  codes: ['several-payloads'],
  *check({ contract }) {
    const index = indexSchemas(contract);
    const heirs = countHeirs(contract);
    for (const { id, pointer, payload } of contract.notifications) {
      const node = new SchemaNode(findSchema(index, payload).definition);
      const alternatives = Math.max(node.oneOf.length, node.anyOf.length);
      const number = alternatives === 0 ? (heirs.get(payload) ?? 0) + 1 : alternatives;
      if (number < 2 || !node.has('discriminator')) continue;
      const message = `The payload of ${quote(id)} is one of ${number} schemas, and its deliveries are one kind, with one handler.`;
      yield { pointer, message };
    }
  },
};

/** Counts the schemas that directly inherit from others, by the names of these. */
function countHeirs({ schemas }: Contract): ReadonlyMap<string, number> {
  const heirs = new Map<string, number>();
  for (const { definition } of schemas) {
    const parents = new SchemaNode(definition).allOf.map((part) => new SchemaNode(part).reference);
    for (const parent of new Set(parents))
      if (parent !== undefined) heirs.set(parent, (heirs.get(parent) ?? 0) + 1);
  }
  return heirs;
}
