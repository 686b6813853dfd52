import type { NodeType } from '@redocly/openapi-core';
import { isJsonObject } from '../json/json.ts';
import type { DocumentName } from '../json/pointer.ts';

type PropertyType = NodeType['properties'][string];

/**
 * Corrects Redocly's description of a specification where it forbids or overlooks what the specification allows.
 * @param ours whether to describe the vocabulary's keys that hold schemas or examples, so that a `$ref` in them is
 * bundled
 */
export function toContractTypes(
  types: Readonly<Record<string, NodeType>>,
  document: DocumentName,
  ours: boolean,
): Record<string, NodeType> {
  const mended: Record<string, NodeType> = {
    ContractOtherSchema: { properties: { schemaFormat: { type: 'string' }, schema: data } },
    ...(ours ? vocabularyTypes : {}),
  };
  for (const [name, type] of Object.entries(types)) {
    const properties: Record<string, PropertyType> = {};
    for (const [key, property] of Object.entries(type.properties)) {
      // The value of an extension is arbitrary, except for `x-webhooks`.
      if (key.startsWith('x-') && key !== 'x-webhooks') continue;
      properties[key] = isExample(property) ? data : property;
    }
    if (name === 'Schema') Object.assign(properties, mendedKeywords(properties, document));
    if (document === 'asyncapi' && name === 'Channel') properties.address = address;
    if (document === 'asyncapi' && (name === 'Message' || name === 'MessageTrait')) {
      if ('payload' in properties) properties.payload = schemaOfAnyFormat;
      properties.headers = schemaOfAnyFormat;
    }
    if (ours && type.extensionsPrefix !== undefined) Object.assign(properties, vocabularyKeys);
    mended[name] = { ...type, properties };
  }
  return mended;
}

/** The value of an example is data: a `$ref` in it is not followed. */
const data: PropertyType = { resolvable: false };

/** A boolean is a schema as well, in draft-07 and in 2020-12. */
const schemaOrBoolean = (value: unknown): 'Schema' | { readonly type: 'boolean' } =>
  typeof value === 'boolean' ? { type: 'boolean' } : 'Schema';

const schemaOfAnyFormat: PropertyType = (value: unknown) => {
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (!isJsonObject(value) || !('schema' in value)) return 'Schema';
  const { schemaFormat } = value;
  return typeof schemaFormat === 'string' && !isJsonSchemaFormat(schemaFormat)
    ? 'ContractOtherSchema'
    : 'MultiFormatSchema';
};

/**
 * Returns whether a schema format is a dialect of JSON Schema, and not Avro, RAML, Protocol Buffers or another format.
 */
export function isJsonSchemaFormat(schemaFormat: string): boolean {
  return /^application\/(?:vnd\.aai\.asyncapi|vnd\.oai\.openapi|schema)(?:[+;]|$)/u.test(
    schemaFormat,
  );
}

/** In AsyncAPI, a `null` address is unknown, like a missing one. Redocly accepts only strings. */
const address: PropertyType = (value: unknown) => (value === null ? null : { type: 'string' });

const subschemas: readonly string[] =
  'not if then else items contains propertyNames contentSchema additionalItems unevaluatedItems unevaluatedProperties'.split(
    ' ',
  );

function mendedKeywords(
  properties: Readonly<Record<string, PropertyType>>,
  document: DocumentName,
): Record<string, PropertyType> {
  const keywords: Record<string, PropertyType> = {};
  for (const key of subschemas) {
    const property = properties[key];
    // Redocly handles `items` of draft-07, which can be a tuple, but not a boolean schema.
    if (property !== undefined) {
      keywords[key] = (value: unknown, name: string) =>
        typeof property === 'function' && typeof value !== 'boolean'
          ? property(value, name)
          : schemaOrBoolean(value);
    }
  }
  if (document === 'asyncapi') {
    // Redocly does not traverse these two. A discriminator of AsyncAPI is a name, and not an object as in OpenAPI.
    keywords.patternProperties = 'SchemaProperties';
    keywords.definitions = 'SchemaProperties';
    keywords.discriminator = { type: 'string' };
  }
  return keywords;
}

function isExample(property: PropertyType): boolean {
  return typeof property === 'object' && property !== null && 'isExample' in property;
}

const vocabularyKeys: Readonly<Record<string, PropertyType>> = {
  'x-invalid-examples': (value: unknown) =>
    Array.isArray(value) ? 'ContractInvalidExamples' : undefined,
  'x-identified-by': (value: unknown) =>
    Array.isArray(value)
      ? 'ContractConditionsList'
      : isJsonObject(value)
        ? 'ContractConditions'
        : undefined,
  'x-variants': (value: unknown) => (isJsonObject(value) ? 'ContractVariants' : undefined),
};

const vocabularyTypes: Readonly<Record<string, NodeType>> = {
  ContractInvalidExamples: { properties: {}, items: 'ContractInvalidExample' },
  ContractInvalidExample: { properties: { payload: data }, additionalProperties: data },
  ContractConditionsList: { properties: {}, items: 'ContractConditions' },
  ContractConditions: { properties: {}, additionalProperties: schemaOrBoolean },
  ContractVariants: { properties: {}, additionalProperties: () => 'ContractVariant' },
  ContractVariant: { properties: { when: 'ContractConditions' }, additionalProperties: data },
};
