import { isJsonObject, type Json } from '../json/json.ts';
import {
  count,
  data,
  either,
  list,
  listOf,
  mapOf,
  number,
  object,
  oneOf,
  orReference,
  text,
  truth,
  type Shape,
} from './shapes.ts';

/** The dialects of JSON Schema in which a document may be written. */
export type Dialect = 'openapi 3.0' | 'openapi 3.1' | 'asyncapi';

/**
 * The mapping of a discriminator. Its targets are names of schemas, or references to component schemas of the same
 * document.
 */
const mapping: Shape = mapOf((value, walk) => {
  if (typeof value !== 'string') return false;
  if (/^#\/components\/schemas\/[^/]+$/u.test(value)) return isJsonObject(walk.target(value));
  return !/[#/:]|\.(?:ya?ml|json)$/iu.test(value);
});

const discriminator = object({ propertyName: text, mapping }, { required: ['propertyName'] });

const xml = object({ name: text, namespace: text, prefix: text, attribute: truth, wrapped: truth });

export const externalDocs: Shape = object({ description: text, url: text }, { required: ['url'] });

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean'];

/**
 * Creates the shape of a schema, or of a reference to one. It accepts only keywords that all tools interpret in the
 * same way.
 */
export function createSchema(dialect: Dialect): Shape {
  const inner: Shape = (value, walk) => schema(value, walk);
  const orBoolean = either(truth, inner);
  const schemas = listOf(inner, dialect === 'asyncapi' ? 1 : 0);
  const common: Record<string, Shape> = {
    // `orReference` recognizes only a string `$ref` as a reference. Any other value is invalid.
    $ref: text,
    title: text,
    description: text,
    format: text,
    pattern: text,
    multipleOf: (value) => typeof value === 'number' && value > 0,
    maximum: number,
    minimum: number,
    maxLength: count,
    minLength: count,
    maxItems: count,
    minItems: count,
    uniqueItems: truth,
    maxProperties: count,
    minProperties: count,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: inner,
    items: inner,
    properties: mapOf(inner),
    additionalProperties: orBoolean,
    default: data,
    readOnly: truth,
    writeOnly: truth,
    deprecated: truth,
    externalDocs,
  };
  const strict: Record<string, Shape> = {
    required: (value) => areNames(value) && Array.isArray(value) && value.length > 0,
    enum: listOf(data, 1),
    type: oneOf(...types),
    exclusiveMaximum: truth,
    exclusiveMinimum: truth,
    nullable: truth,
    example: data,
    discriminator,
    xml,
  };
  const oneType = oneOf(...allTypes);
  const modern: Record<string, Shape> = {
    required: areNames,
    enum: dialect === 'asyncapi' ? areScalars : list,
    type: either(oneType, areTypes),
    exclusiveMaximum: number,
    exclusiveMinimum: number,
    const: data,
    examples: list,
    $comment: text,
    if: inner,
    then: inner,
    else: inner,
    contains: inner,
    propertyNames: inner,
    patternProperties: mapOf(inner),
    contentEncoding: text,
    contentMediaType: text,
  };
  const of2020: Record<string, Shape> = {
    example: data,
    discriminator,
    xml,
    prefixItems: schemas,
    dependentSchemas: mapOf(inner),
    dependentRequired: mapOf(areNames),
    unevaluatedItems: orBoolean,
    unevaluatedProperties: orBoolean,
    minContains: count,
    maxContains: count,
    $defs: mapOf(inner, /^[\w.-]+$/u, true),
  };
  const written: Shape =
    dialect === 'openapi 3.0'
      ? object({ ...common, ...strict })
      : either(
          truth,
          object({ ...common, ...modern, ...(dialect === 'openapi 3.1' ? of2020 : {}) }),
        );
  const schema = orReference(written, written);
  return schema;
}

const allTypes = [...types, 'null'];

function areTypes(value: Json): boolean {
  return (
    areNames(value) &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((type) => allTypes.includes(type))
  );
}

/** Returns whether a value is a non-empty list of distinct scalars. Objects and arrays are not compared. */
function areScalars(value: Json): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item !== 'object' || item === null) &&
    new Set<unknown>(value).size === value.length
  );
}

function areNames(value: Json): boolean {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === 'string') &&
    new Set<unknown>(value).size === value.length
  );
}
