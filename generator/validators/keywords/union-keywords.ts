import type { Code, CodeKeywordDefinition, KeywordCxt } from 'ajv';
import type { AjvLibrary } from '../ajv-library.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { isDefault, selectingValues } from '../validator-schema.ts';

/** The number of alternatives from which Ajv's nested code would exhaust the stack of engines and formatters. */
const manyAlternatives = 50;

/**
 * Creates `anyOf` and `oneOf` keywords with the results of Ajv's own. The code of many alternatives is not nested. If
 * the schema has a `discriminator`, only the alternative that its value selects is validated, so that the errors are
 * about that alternative.
 */
export function unionKeywords(library: AjvLibrary): readonly CodeKeywordDefinition[] {
  const { anyOf, oneOf } = library;
  const { alwaysValidSchema } = library.util;
  const code = new UnionCode(library.codegen);
  return [
    {
      ...anyOf,
      code(context) {
        const property = discriminatorOf(context);
        if (property !== undefined) return code.selected(context, 'anyOf', property);
        const { it } = context;
        const schemas = context.schema as readonly (boolean | object)[];
        const nests = it.opts.unevaluated !== true || (it.props === true && it.items === true);
        if (schemas.length < manyAlternatives || !nests) return anyOf.code(context);
        if (!schemas.some((schema) => alwaysValidSchema(it, schema) === true))
          code.flatAnyOf(context, schemas);
      },
    },
    {
      ...oneOf,
      code(context) {
        const property = discriminatorOf(context);
        if (property !== undefined) return code.selected(context, 'oneOf', property);
        const schemas = context.schema as readonly (boolean | object)[];
        if (schemas.length < manyAlternatives) return oneOf.code(context);
        code.flatOneOf(context, schemas);
      },
    },
  ];
}

/** Returns the discriminating property, if its value selects an alternative by the schema alone. */
function discriminatorOf({ parentSchema, schema }: KeywordCxt): string | undefined {
  const { discriminator } = parentSchema as { readonly discriminator?: unknown };
  if (typeof discriminator !== 'string') return undefined;
  // An alternative that other schemas share is a reference here.
  const isKnown = (schema as readonly JsonSchema[]).every(
    (alternative) =>
      selectingValues(alternative, discriminator) !== undefined ||
      isDefault(alternative, discriminator),
  );
  return isKnown ? discriminator : undefined;
}

/** Generates the code of unions that differs from that of Ajv. */
class UnionCode {
  readonly #codegen: AjvLibrary['codegen'];

  constructor(codegen: AjvLibrary['codegen']) {
    this.#codegen = codegen;
  }

  flatAnyOf(context: KeywordCxt, schemas: readonly unknown[]): void {
    const { _, not } = this.#codegen;
    const { gen } = context;
    const isValid = gen.let('valid', false);
    const subValid = gen.name('_valid');
    for (const index of schemas.keys()) {
      const check = (): void => {
        context.subschema({ keyword: 'anyOf', schemaProp: index, compositeRule: true }, subValid);
        gen.assign(isValid, _`${isValid} || ${subValid}`);
      };
      if (index === 0) check();
      else gen.if(not(isValid), check);
    }
    context.result(
      isValid,
      () => context.reset(),
      () => context.error(true),
    );
  }

  flatOneOf(context: KeywordCxt, schemas: readonly unknown[]): void {
    const { _, not, Name } = this.#codegen;
    const { gen } = context;
    const isValid = gen.let('valid', false);
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
        gen.if(_`${subValid} && ${isValid}`, () => {
          gen.assign(isValid, false).assign(several, true);
          gen.assign(passing, _`[${passing}, ${index}]`);
        });
        gen.if(_`${subValid} && ${not(several)}`, () => {
          gen.assign(isValid, true).assign(passing, index);
          context.mergeEvaluated(sub, Name);
        });
      });
    }
    context.result(
      isValid,
      () => context.reset(),
      () => context.error(true),
    );
  }

  /** Validates the selected alternative. Another part of the schema reports a value that selects none. */
  selected(context: KeywordCxt, keyword: string, property: string): void {
    const { _, getProperty, not, or, Name } = this.#codegen;
    const { gen, data } = context;
    const isValid = gen.let('valid', true);
    const subValid = gen.name('_valid');
    gen.if(_`${data} && typeof ${data} == "object" && !Array.isArray(${data})`, () => {
      const tag = gen.const('tag', _`${data}${getProperty(property)}`);
      const schemas = context.schema as readonly JsonSchema[];
      const isOneOf = (values: readonly string[]): Code =>
        or(...values.map((value) => _`${tag} === ${value}`));
      const all = schemas.flatMap((schema) => selectingValues(schema, property) ?? []);
      for (const [index, schema] of schemas.entries()) {
        const values = selectingValues(schema, property);
        gen.if(values === undefined ? not(isOneOf(all)) : isOneOf(values), () => {
          const sub = context.subschema({ keyword, schemaProp: index }, subValid);
          gen.assign(isValid, subValid);
          context.mergeEvaluated(sub, Name);
        });
      }
    });
    context.ok(isValid);
  }
}
