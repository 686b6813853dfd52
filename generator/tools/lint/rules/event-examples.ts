import { matchVariant } from '../../../recognition/match-variant.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { pointerDocument } from '../../../json/pointer.ts';
import { indexSchemas } from '../../../schema/references.ts';
import type { ContractLintRule } from '../rule.ts';

/** Reports notifications without an example, and wire formats of a notification that no example shows. */
export const eventExamples: ContractLintRule = {
  codes: ['event-without-example', 'form-without-example'],
  *check({ contract }) {
    const index = indexSchemas(contract);
    for (const { id, pointer, payload, examples, encoding } of contract.notifications) {
      if (examples.length === 0) {
        const message = `The notification ${quote(id)} has no example.`;
        const help =
          pointerDocument(pointer) === 'openapi'
            ? encoding === 'query'
              ? helpInQuery
              : helpInOpenapi
            : undefined;
        yield { code: 'event-without-example', pointer, message, help };
        continue;
      }
      const variants = index.get(payload)?.variants ?? [];
      const shown = new Set(examples.map(({ value }) => matchVariant(variants, value)?.name));
      const formats = variants.length === 0 ? [] : [undefined, ...variants.map(({ name }) => name)];
      for (const format of formats.filter((name) => !shown.has(name))) {
        const words =
          format === undefined ? 'in the canonical wire format' : `of the variant ${quote(format)}`;
        const message = `The notification ${quote(id)} has no example ${words}.`;
        yield { code: 'form-without-example', pointer, message };
      }
    }
  },
};

const helpInOpenapi = 'Add an `example` beside the `schema` of the request body.';
const helpInQuery = 'Add an `example` to each query parameter that is required.';
