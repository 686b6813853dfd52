import type { CodeKeywordDefinition } from 'ajv/dist/core.js';
import type { FunctionCode } from './function-code.ts';

/** Creates a `$ref` keyword that calls the function of the referenced schema, which is not compiled for that. */
export function referenceKeyword(code: FunctionCode): CodeKeywordDefinition {
  const { _, Name } = code.library.codegen;
  const { mergeEvaluated } = code.library.util;
  return {
    keyword: '$ref',
    schemaType: 'string',
    code(context) {
      const { gen, data, it } = context;
      const schemaName = String(context.schema);
      const before = gen.const('_errs', code.errors);
      gen.code(code.call(it, schemaName, data));
      const isValid = _`${before} === ${code.errors}`;
      if (it.opts.unevaluated === true && (it.props !== true || it.items !== true))
        gen.if(isValid, () => {
          const evaluated = _`${code.names.reference(schemaName)}.evaluated`;
          if (it.props !== true)
            it.props = mergeEvaluated.props(
              gen,
              gen.var('props', _`${evaluated}.props`),
              it.props,
              Name,
            );
          if (it.items !== true)
            it.items = mergeEvaluated.items(
              gen,
              gen.var('items', _`${evaluated}.items`),
              it.items,
              Name,
            );
        });
      context.ok(isValid);
    },
  };
}
