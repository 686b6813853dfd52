import { isJsonObject, isScalar, type Json } from '../json/json.ts';
import type { DocumentName } from '../json/pointer.ts';
import {
  anyOf,
  count,
  data,
  defineObject,
  each,
  leftToTools,
  list,
  map,
  number,
  oneOf,
  only,
  scalar,
  text,
  truth,
  type GrammarDialect,
  type Grammar,
  type ValidatedDocument,
  type ValueGrammar,
} from './object-grammar.ts';

const openapi: readonly GrammarDialect[] = ['openapi 3.0', 'openapi 3.1'];
const since31: readonly GrammarDialect[] = ['openapi 3.1', 'asyncapi'];

/** OpenAPI 3.0 has no boolean schemas, except in `additionalProperties`. */
export const schema: ValueGrammar = anyOf('schema', only(since31, truth));
const conditions = map(anyOf('schema', truth));

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean'];
const modernType = oneOf(...types, 'null');
const typeKeyword = anyOf(
  only(['openapi 3.0'], oneOf(...types)),
  only(since31, anyOf(modernType, list(modernType, { min: 1, rule: areDistinct }))),
);
const names = list(text, { rule: areDistinct });
const exclusiveBound = anyOf(only(['openapi 3.0'], truth), only(since31, number));

/**
 * Returns the objects of JSON Schema in the dialects of a specification: OpenAPI 3.0 (draft-05 subset), OpenAPI 3.1
 * (2020-12) and AsyncAPI 3 (draft-07 superset). Validation accepts only keywords that all tools interpret in the same
 * way.
 * @see https://spec.openapis.org/oas/v3.0.4#schema-object
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-10
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#schemaObject
 */
export function schemaObjects(specification: DocumentName): Grammar['objects'] {
  const isAsyncapi = specification === 'asyncapi';
  const schemas = list(schema, { min: isAsyncapi ? 1 : 0 });
  return {
    schema: defineObject(
      {
        // A string `$ref` is a reference. Any other value is invalid.
        ...each('$ref title description format pattern', text),
        type: typeKeyword,
        enum: anyOf(
          only(['openapi 3.0'], list(data, { min: 1 })),
          only(['openapi 3.1'], list(data)),
          // Objects and arrays are not compared.
          only(['asyncapi'], list(scalar(isScalar), { min: 1, rule: areDistinct })),
        ),
        required: anyOf(
          only(['openapi 3.0'], list(text, { min: 1, rule: areDistinct })),
          only(since31, names),
        ),
        multipleOf: scalar((value) => typeof value === 'number' && value > 0),
        ...each('maximum minimum', number),
        ...each('exclusiveMaximum exclusiveMinimum', exclusiveBound),
        ...each('maxLength minLength maxItems minItems maxProperties minProperties', count),
        ...each('uniqueItems readOnly writeOnly deprecated', truth),
        ...each('allOf anyOf oneOf', schemas),
        not: schema,
        items: anyOf(schema, leftToTools(list(schema))),
        properties: map(schema),
        additionalProperties: anyOf('schema', truth),
        default: data,
        externalDocs: 'external-docs',
        nullable: only(['openapi 3.0'], truth),
        example: only(openapi, data),
        xml: only(openapi, 'xml'),
        // A discriminator of AsyncAPI is the name of a property.
        discriminator: only(openapi, isAsyncapi ? text : 'discriminator'),
        const: only(since31, data),
        examples: only(since31, list(data)),
        ...each('$comment contentEncoding contentMediaType', only(since31, text)),
        ...each('if then else contains propertyNames', only(since31, schema)),
        patternProperties: only(since31, map(schema)),
        prefixItems: only(['openapi 3.1'], schemas),
        dependentSchemas: only(['openapi 3.1'], map(schema)),
        dependentRequired: only(['openapi 3.1'], map(names)),
        ...each('unevaluatedItems unevaluatedProperties', only(['openapi 3.1'], schema)),
        ...each('minContains maxContains', only(['openapi 3.1'], count)),
        $defs: only(['openapi 3.1'], map(schema, { names: /^[\w.-]+$/u })),
        ...each('contentSchema additionalItems', leftToTools(schema)),
        definitions: leftToTools(map(schema)),
        dependencies: leftToTools(map(anyOf(schema, list(text)))),
      },
      { reference: 'with-siblings' },
    ),
    discriminator: defineObject(
      { propertyName: text, mapping: map(scalar(isMappingTarget, 'schema')) },
      { required: ['propertyName'] },
    ),
    xml: defineObject({
      ...each('name namespace prefix', text),
      ...each('attribute wrapped', truth),
    }),
    'external-docs': defineObject({ description: text, url: text }, { required: ['url'] }),
    'invalid-example': defineObject(
      {},
      {
        isExtensible: false,
        otherMembers: { names: /^/u, value: data },
        rule: (value) => [value, value['payload'], value['headers']].every(hasNoReference),
      },
    ),
    variant: defineObject(
      { when: conditions },
      { isExtensible: false, otherMembers: { names: /^/u, value: data }, rule: hasNoReference },
    ),
  };
}

/**
 * The keys of the vocabulary that hold schemas or examples. They apply to every object that can have extensions. The
 * rules check all other constraints on them.
 */
export const vocabularyMembers: ReadonlyMap<string, ValueGrammar> = new Map([
  ['x-invalid-examples', list('invalid-example')],
  ['x-identified-by', anyOf(conditions, list(conditions))],
  ['x-variants', map('variant')],
]);

/**
 * Returns whether a discriminator maps to the name of a schema, or to an existing component schema of the same
 * document.
 */
function isMappingTarget(value: Json, document: ValidatedDocument): boolean {
  if (typeof value !== 'string') return false;
  if (/^#\/components\/schemas\/[^/]+$/u.test(value)) return isJsonObject(document.target(value));
  return isSchemaName(value);
}

/** Returns whether the target of a discriminator's mapping is the name of a schema, and not a reference. */
export function isSchemaName(target: string): boolean {
  return !/[#/:]|\.(?:ya?ml|json)$/iu.test(target);
}

export function areDistinct(items: readonly Json[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size === items.length;
}

export function hasNoReference(value: Json | undefined): boolean {
  return !isJsonObject(value) || !Object.hasOwn(value, '$ref');
}
