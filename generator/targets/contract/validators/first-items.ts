import type { CodeKeywordDefinition } from 'ajv';
import type * as codegen from 'ajv/dist/compile/codegen/index.js';
import type * as util from 'ajv/dist/compile/util.js';
import type prefixItems from 'ajv/dist/vocabularies/applicator/prefixItems.js';

/**
 * `prefixItems` that an empty list satisfies. Where one violation is enough, within `not` and `if`, Ajv's own leaves
 * undecided whether it does, and with that passes over `contains`.
 */
export function firstItems(require: NodeJS.Require): CodeKeywordDefinition {
  const { _ } = require('ajv/dist/compile/codegen') as typeof codegen;
  const { alwaysValidSchema, mergeEvaluated } = require('ajv/dist/compile/util') as typeof util;
  const { default: own } =
    require('ajv/dist/vocabularies/applicator/prefixItems') as typeof prefixItems;
  return {
    ...own,
    code(context) {
      const { gen, data, it } = context;
      const schemas = context.schema as readonly (boolean | object)[];
      if (it.opts.unevaluated === true && schemas.length > 0 && it.items !== true)
        it.items = mergeEvaluated.items(gen, schemas.length, it.items);
      const valid = gen.name('valid');
      if (it.allErrors !== true) gen.var(valid, true);
      const length = gen.const('len', _`${data}.length`);
      for (const [index, schema] of schemas.entries()) {
        if (alwaysValidSchema(it, schema) === true) continue;
        gen.if(_`${length} > ${index}`, () => {
          context.subschema({ keyword: 'prefixItems', schemaProp: index, dataProp: index }, valid);
        });
        context.ok(valid);
      }
    },
  };
}
