import { catalogue } from '../diagnostics/catalogue.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { NameIndex } from '../diagnostics/name-index.ts';
import { quote } from '../diagnostics/quote.ts';
import { placesOf } from '../documents/places.ts';
import { memoize } from '../execution/memoize.ts';
import { type JsonObject, toObject } from '../json/json.ts';
import { mappingTarget } from '../schema/discriminator-values.ts';
import { isSchemaName } from '../specification/schema-grammar.ts';
import type { Rule } from './rule.ts';

/**
 * Checks that the names in the `mapping` of a discriminator, and in `defaultMapping`, are those of schemas. A value that
 * is mapped to no schema selects none. References are checked where documents are loaded.
 */
export const discriminatorMappings: Rule = {
  codes: ['unknown-mapping'],
  *check({ documents }) {
    const indexOf = memoize((schemas: JsonObject) => new NameIndex(Object.keys(schemas)));
    for (const place of placesOf(documents, 'discriminator')) {
      const mapped = place
        .entries('mapping')
        .map(([value, at]) => [at, `the value ${quote(value)} selects no schema`] as const);
      const standard = place.child('defaultMapping');
      for (const [at, until] of [...mapped, [standard, 'there is no default'] as const]) {
        const name = at.text();
        if (name === undefined || !isSchemaName(name)) continue;
        if (mappingTarget(at)?.value !== undefined) continue;
        const schemas = toObject(at.document.valueIn('components', 'schemas'));
        const hint = didYouMean(name, indexOf(schemas));
        const { help } = catalogue['unknown-mapping'];
        yield {
          pointer: at.pointer,
          message: `${quote(name)} is not the name of a schema in \`components/schemas\`.`,
          until,
          help: hint === undefined ? help : `${hint} ${help}`,
        };
      }
    }
  },
};
