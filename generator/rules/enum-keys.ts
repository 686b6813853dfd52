import { collidingKeys } from '../contract/enumerations.ts';
import { quote } from '../diagnostics/quote.ts';
import { toPointer } from '../json/pointer.ts';
import { SchemaNode } from '../schema/node.ts';
import type { ContractRule, Finding } from './rule.ts';

/** Checks that no two values of an enumeration in code would have the same key. */
export const enumKeys: ContractRule = {
  codes: ['name-collision'],
  *check({ contract }) {
    for (const { enumeration, origin, definition, typeName, pointer } of contract.schemas) {
      if (enumeration === undefined || (origin !== 'component' && origin !== 'inline')) continue;
      const list = new SchemaNode(definition).has('enum') ? 'enum' : 'x-extensible-enum';
      const keyOf = new Map(enumeration.members.map(({ name, value }) => [value, name]));
      for (const [first, ...others] of collidingKeys(definition))
        for (const { id, wanted, value, index } of others) {
          // `enumNames` reports a name that is stated twice.
          if (id === first?.id) continue;
          yield {
            pointer: toPointer(pointer, list, index),
            message: `The values ${quote(first?.id ?? '')} and ${quote(id)} of ${quote(typeName)} would both become the key ${wanted}.`,
            help: 'Name each of them in `x-enum-varnames`; use an overlay if the document is not yours.',
            until: `${quote(id)} has the key ${keyOf.get(value) ?? wanted}`,
          } satisfies Finding;
        }
    }
  },
};
