import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import type { AjvLibrary } from './ajv-library.ts';

/** The number of alternatives from which Ajv's nested code would exhaust the stack of engines and formatters. */
const manyAlternatives = 50;

/** Creates `anyOf` and `oneOf` keywords with the results of Ajv's own. The code of many alternatives is not nested. */
export function unionKeywords({
  codegen: { _, not, Name },
  util: { alwaysValidSchema },
  anyOf: any,
  oneOf: one,
}: AjvLibrary): readonly CodeKeywordDefinition[] {
  const flatAny = (context: KeywordCxt, schemas: readonly unknown[]): void => {
    const { gen } = context;
    const valid = gen.let('valid', false);
    const subValid = gen.name('_valid');
    for (const index of schemas.keys()) {
      const check = (): void => {
        context.subschema({ keyword: 'anyOf', schemaProp: index, compositeRule: true }, subValid);
        gen.assign(valid, _`${valid} || ${subValid}`);
      };
      if (index === 0) check();
      else gen.if(not(valid), check);
    }
    context.result(
      valid,
      () => context.reset(),
      () => context.error(true),
    );
  };

  const flatOne = (context: KeywordCxt, schemas: readonly unknown[]): void => {
    const { gen } = context;
    const valid = gen.let('valid', false);
    const several = gen.let('several', false);
    const passing = gen.let('passing', null);
    const subValid = gen.name('_valid');
    context.setParams({ passing });
    for (const index of schemas.keys()) {
      gen.if(not(several), () => {
        const sub = context.subschema(
          { keyword: 'oneOf', schemaProp: index, compositeRule: true },
          subValid,
        );
        gen.if(_`${subValid} && ${valid}`, () => {
          gen.assign(valid, false).assign(several, true);
          gen.assign(passing, _`[${passing}, ${index}]`);
        });
        gen.if(_`${subValid} && ${not(several)}`, () => {
          gen.assign(valid, true).assign(passing, index);
          context.mergeEvaluated(sub, Name);
        });
      });
    }
    context.result(
      valid,
      () => context.reset(),
      () => context.error(true),
    );
  };

  return [
    {
      ...any,
      code(context) {
        const { it } = context;
        const schemas = context.schema as readonly (boolean | object)[];
        const nests = it.opts.unevaluated !== true || (it.props === true && it.items === true);
        if (schemas.length < manyAlternatives || !nests) any.code(context);
        else if (!schemas.some((schema) => alwaysValidSchema(it, schema) === true))
          flatAny(context, schemas);
      },
    },
    {
      ...one,
      code(context) {
        const schemas = context.schema as readonly (boolean | object)[];
        if (schemas.length < manyAlternatives) one.code(context);
        else flatOne(context, schemas);
      },
    },
  ];
}
