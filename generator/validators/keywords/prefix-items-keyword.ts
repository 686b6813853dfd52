import type { CodeKeywordDefinition } from 'ajv';
import type { AjvLibrary } from '../ajv-library.ts';

/**
 * Creates a `prefixItems` keyword that an empty array satisfies. Inside `not` and `if`, Ajv stops at the first
 * violation. There its own `prefixItems` leaves the result of an empty array undefined, and skips `contains`.
 */
export function prefixItemsKeyword({
  codegen: { _ },
  util: { alwaysValidSchema, mergeEvaluated },
  prefixItems,
}: AjvLibrary): CodeKeywordDefinition {
  return {
    ...prefixItems,
    code(context) {
      const { gen, data, it } = context;
      const schemas = context.schema as readonly (boolean | object)[];
      if (it.opts.unevaluated === true && schemas.length > 0 && it.items !== true)
        it.items = mergeEvaluated.items(gen, schemas.length, it.items);
      const isValid = gen.name('valid');
      if (it.allErrors !== true) gen.var(isValid, true);
      const length = gen.const('len', _`${data}.length`);
      for (const [index, schema] of schemas.entries()) {
        if (alwaysValidSchema(it, schema) === true) continue;
        gen.if(_`${length} > ${index}`, () => {
          context.subschema(
            { keyword: 'prefixItems', schemaProp: index, dataProp: index },
            isValid,
          );
        });
        context.ok(isValid);
      }
    },
  };
}
